# crv_module(NAME [USES modules...] [LIBS libs...] [PEERS libs...])
#
# One folder of src/, with its shelves (subfolders), becomes one static library crv_NAME, from its *.cc; by suffix,
# *_test.cc become the test binary NAME_test, *_bench.cc the benchmark NAME_bench (which may link PEERS, to measure
# beside them), and each x_fuzz.cc a fuzzer x_fuzz.  USES is both the link line and the law on #include: see CrvLayers.cmake.

include(CrvLayers)
option(CRV_TESTS "build the tests; './demo' has no need of them, nor of GoogleTest" ON)
if(CRV_TESTS)
  find_package(GTest REQUIRED)
endif()

# Where the sources and the program are, for tests: one file knows it, so that the objects of two clones are the same and
# ccache shares them.
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/test_paths.cc @ONLY CONTENT [=[
#include "base/test_paths.h"
namespace crivello {
const char* SourceDirectory() { return "@CMAKE_SOURCE_DIR@"; }
const char* ProgramPath() { return "@CMAKE_BINARY_DIR@/crivello"; }
}  // namespace crivello
]=])
add_library(crv_test_paths STATIC EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/test_paths.cc)
target_include_directories(crv_test_paths PRIVATE ${CMAKE_SOURCE_DIR}/src)

option(CRV_FUZZ "build fuzzers with libFuzzer (clang) instead of as replays of the corpus" OFF)
option(CRV_BENCH "build the benchmarks" OFF)

function(crv_module name)
  cmake_parse_arguments(A "" "" "USES;LIBS;PEERS" ${ARGN})
  set(dir ${CMAKE_SOURCE_DIR}/src/${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${dir}/*.cc)
  file(GLOB_RECURSE tests CONFIGURE_DEPENDS ${dir}/*_test.cc)
  file(GLOB_RECURSE benches CONFIGURE_DEPENDS ${dir}/*_bench.cc)
  file(GLOB_RECURSE fuzzers CONFIGURE_DEPENDS ${dir}/*_fuzz.cc)
  list(REMOVE_ITEM sources ${tests} ${benches} ${fuzzers} ${dir}/main.cc)
  crv_check_layers(${name} "${A_USES}")

  add_library(crv_${name} STATIC ${sources})
  crv_compile_apart(${sources})
  list(TRANSFORM A_USES PREPEND crv_ OUTPUT_VARIABLE uses)
  list(TRANSFORM A_LIBS PREPEND crv_lib_ OUTPUT_VARIABLE libs)
  target_link_libraries(crv_${name} PUBLIC crv_flags ${uses} ${libs})

  if(tests AND CRV_TESTS)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE crv_${name} crv_test_paths GTest::gmock GTest::gtest_main)
    crv_compile_quickly(${name}_test)
    add_test(NAME ${name} COMMAND ${name}_test --gtest_brief=1)
    set_tests_properties(${name} PROPERTIES LABELS fast
      ENVIRONMENT TSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/cmake/tsan.supp)
  endif()
  if(benches AND CRV_BENCH)
    find_package(benchmark REQUIRED)
    list(TRANSFORM A_PEERS PREPEND crv_lib_ OUTPUT_VARIABLE peers)
    add_executable(${name}_bench ${benches})
    set_target_properties(${name}_bench PROPERTIES UNITY_BUILD OFF)  # a workload each, with names of its own
    target_link_libraries(${name}_bench PRIVATE crv_${name} ${peers} crv_test_paths benchmark::benchmark_main)
  endif()
  foreach(file ${fuzzers})
    crv_fuzzer(${file} crv_${name})
  endforeach()
endfunction()

# crv_program(NAME FOLDER ...): as crv_module, and the program NAME from FOLDER/main.cc.
function(crv_program program name)
  crv_module(${name} ${ARGN})
  add_executable(${program} ${CMAKE_SOURCE_DIR}/src/${name}/main.cc)
  target_link_libraries(${program} PRIVATE crv_${name})
  set_target_properties(${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
endfunction()

# Presets that compile everything, once, join files of a folder in one compilation (CMAKE_UNITY_BUILD), which takes
# a third of the time; so names in unnamed namespaces must differ within a folder.  The preset dev compiles each by
# itself: a file includes what it uses.  Kernels for several targets are always by themselves: Highway compiles the
# file that it is in once for each target.
function(crv_compile_apart)
  foreach(file ${ARGN})
    file(STRINGS ${file} kernels REGEX "hwy/foreach_target.h" LIMIT_COUNT 1)
    if(kernels)
      set_source_files_properties(${file} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
endfunction()

# gtest's headers are the largest part of compiling a small test; all test binaries share one compiled copy.
function(crv_compile_quickly target)
  if(NOT TARGET crv_pch)
    file(WRITE ${CMAKE_BINARY_DIR}/pch.cc "")
    add_library(crv_pch STATIC ${CMAKE_BINARY_DIR}/pch.cc)
    target_link_libraries(crv_pch PRIVATE crv_flags GTest::gmock)
    target_precompile_headers(crv_pch PRIVATE <gmock/gmock.h> <gtest/gtest.h> <string> <vector>)
    target_compile_options(crv_pch PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  target_precompile_headers(${target} REUSE_FROM crv_pch)
  # Half the time to compile them; what they test is as it is in the program.
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# Under CRV_FUZZ a libFuzzer binary; else a program that replays fuzz/corpus/NAME, run as a test.
function(crv_fuzzer file library)
  get_filename_component(fuzzer ${file} NAME_WE)
  string(REGEX REPLACE "_fuzz$" "" corpus ${fuzzer})
  add_executable(${fuzzer} ${file})
  target_link_libraries(${fuzzer} PRIVATE ${library})
  if(CRV_FUZZ)
    target_compile_options(${fuzzer} PRIVATE -fsanitize=fuzzer)
    target_link_options(${fuzzer} PRIVATE -fsanitize=fuzzer)
  else()
    target_sources(${fuzzer} PRIVATE ${CMAKE_SOURCE_DIR}/fuzz/replay_main.cc)
    add_test(NAME ${fuzzer} COMMAND ${fuzzer} ${CMAKE_SOURCE_DIR}/fuzz/corpus/${corpus})
    set_tests_properties(${fuzzer} PROPERTIES LABELS fast)
  endif()
  set_property(GLOBAL APPEND PROPERTY CRV_FUZZERS ${fuzzer})
endfunction()
