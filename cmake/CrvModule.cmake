# crv_module(NAME [USES modules...] [LIBS libs...] [PEERS libs...] [COLD [shelves...]])
#
# One folder of src/, with its shelves (subfolders), becomes one static library crv_NAME, from its *.cc; by suffix,
# *_test.cc become the test binary NAME_test, *_bench.cc the benchmark NAME_bench (which may link PEERS, to measure
# beside them), and *_fuzz.cc the program NAME_fuzz_replay (or fuzzers, see crv_fuzzers).  USES is both the link line and
# the law on #include: see CrvLayers.cmake.
#
# COLD says that the speed of the module, or of the named shelves, does not matter: a Release build compiles them with -O1,
# which takes 15 to 30% less time.

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
  cmake_parse_arguments(A "" "" "USES;LIBS;PEERS;COLD" ${ARGN})
  set(dir ${CMAKE_SOURCE_DIR}/src/${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${dir}/*.cc)
  file(GLOB_RECURSE tests CONFIGURE_DEPENDS ${dir}/*_test.cc)
  file(GLOB_RECURSE benches CONFIGURE_DEPENDS ${dir}/*_bench.cc)
  file(GLOB_RECURSE fuzzers CONFIGURE_DEPENDS ${dir}/*_fuzz.cc)
  list(REMOVE_ITEM sources ${tests} ${benches} ${fuzzers} ${dir}/main.cc)
  crv_check_layers(${name} "${A_USES}")

  set(cold "")
  foreach(shelf ${A_COLD})
    if(NOT IS_DIRECTORY ${dir}/${shelf})
      message(FATAL_ERROR "crv_module(${name}): COLD names '${shelf}', but there is no folder ${dir}/${shelf}")
    endif()
  endforeach()
  if(A_COLD)
    set(cold ${sources})
    list(JOIN A_COLD "|" shelves)
    list(FILTER cold INCLUDE REGEX "^${dir}/(${shelves})/")
    list(REMOVE_ITEM sources ${cold})
    crv_join(${name}_cold cold)
    set_source_files_properties(${cold} PROPERTIES COMPILE_OPTIONS "$<$<CONFIG:Release>:-O1>")
  endif()
  crv_join(${name} sources)
  add_library(crv_${name} STATIC ${sources} ${cold})
  if("COLD" IN_LIST A_KEYWORDS_MISSING_VALUES)
    target_compile_options(crv_${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  list(TRANSFORM A_USES PREPEND crv_ OUTPUT_VARIABLE uses)
  list(TRANSFORM A_LIBS PREPEND crv_lib_ OUTPUT_VARIABLE libs)
  target_link_libraries(crv_${name} PUBLIC crv_flags ${uses} ${libs})

  if(tests AND CRV_TESTS)
    crv_join(${name}_test tests)
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
    target_link_libraries(${name}_bench PRIVATE crv_${name} ${peers} crv_test_paths benchmark::benchmark_main)
  endif()
  if(fuzzers AND (CRV_TESTS OR CRV_FUZZ))
    crv_fuzzers(${name} ${fuzzers})
  endif()
endfunction()

# crv_program(NAME FOLDER ...): as crv_module, and the program NAME from FOLDER/main.cc.
function(crv_program program name)
  crv_module(${name} ${ARGN})
  add_executable(${program} ${CMAKE_SOURCE_DIR}/src/${name}/main.cc)
  target_link_libraries(${program} PRIVATE crv_${name})
  set_target_properties(${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
endfunction()

# crv_join(NAME VARIABLE): puts files that #include the sources of the list VARIABLE, up to 16 each, in their place.  Presets
# that compile everything once do so (CRV_JOIN), which takes a third of the time; so names in unnamed namespaces must differ
# within a folder.  The preset dev compiles each source by itself: a file includes what it uses.  A shelf is divided only
# if it is larger than a joined file, so that an edit compiles little else.  CMake's own unity files hold absolute paths, by
# which two clones could not share objects; these do not.
option(CRV_JOIN "compile the sources of a folder together" OFF)

function(crv_join name variable)
  if(NOT CRV_JOIN)
    return()
  endif()
  set(batch 16)
  set(apart "")
  set(shelves "")
  foreach(file ${${variable}})
    # Highway compiles the file that a kernel is in once for each target.
    file(STRINGS ${file} kernels REGEX "hwy/foreach_target.h" LIMIT_COUNT 1)
    if(kernels)
      list(APPEND apart ${file})
      continue()
    endif()
    cmake_path(GET file PARENT_PATH shelf)
    list(APPEND shelves ${shelf})
    list(APPEND files_${shelf} ${file})
  endforeach()
  list(REMOVE_DUPLICATES shelves)

  set(joined "")
  set(waiting "")
  set(number 0)
  macro(crv_join_waiting)
    if(waiting)
      set(lines "// Written by cmake/CrvModule.cmake.\n")
      foreach(source ${waiting})
        cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${CMAKE_SOURCE_DIR}/src)
        string(APPEND lines "#include \"${source}\"\n")
      endforeach()
      set(to ${CMAKE_BINARY_DIR}/joined/${name}_${number}.cc)
      file(CONFIGURE OUTPUT ${to} CONTENT "${lines}" @ONLY)
      list(APPEND joined ${to})
      math(EXPR number "${number} + 1")
      set(waiting "")
    endif()
  endmacro()
  foreach(shelf ${shelves})
    list(LENGTH files_${shelf} here)
    list(LENGTH waiting before)
    math(EXPR together "${here} + ${before}")
    if(together GREATER batch)
      crv_join_waiting()
    endif()
    # Parts of about the same size.
    math(EXPR parts "(${here} + ${batch} - 1) / ${batch}")
    math(EXPR part "(${here} + ${parts} - 1) / ${parts}")
    foreach(file ${files_${shelf}})
      list(LENGTH waiting before)
      if(parts GREATER 1 AND before EQUAL part)
        crv_join_waiting()
      endif()
      list(APPEND waiting ${file})
    endforeach()
  endforeach()
  crv_join_waiting()
  set(${variable} ${joined} ${apart} PARENT_SCOPE)
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

# crv_fuzzers(MODULE x_fuzz.cc...): under CRV_FUZZ a libFuzzer binary x_fuzz each.  Otherwise one program MODULE_fuzz_replay and
# one test, which replay the folders fuzz/corpus/x: the entry points of the files get names of their own, and a generated
# table (fuzz/replay.h) lists them.
function(crv_fuzzers name)
  if(CRV_FUZZ)
    foreach(file ${ARGN})
      cmake_path(GET file STEM fuzzer)
      add_executable(${fuzzer} ${file})
      target_link_libraries(${fuzzer} PRIVATE crv_${name})
      target_compile_options(${fuzzer} PRIVATE -fsanitize=fuzzer)
      target_link_options(${fuzzer} PRIVATE -fsanitize=fuzzer)
    endforeach()
    return()
  endif()
  if(NOT TARGET crv_fuzz_replay)
    add_library(crv_fuzz_replay STATIC EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/fuzz/replay_main.cc)
    target_include_directories(crv_fuzz_replay PUBLIC ${CMAKE_SOURCE_DIR}/fuzz)
    target_link_libraries(crv_fuzz_replay PUBLIC crv_flags)
  endif()
  set(declarations "")
  set(rows "")
  foreach(file ${ARGN})
    cmake_path(GET file STEM fuzzer)
    string(REGEX REPLACE "_fuzz$" "" corpus ${fuzzer})
    set_source_files_properties(${file} PROPERTIES COMPILE_DEFINITIONS LLVMFuzzerTestOneInput=crv_${fuzzer})
    string(APPEND declarations "extern \"C\" int crv_${fuzzer}(const uint8_t* data, size_t size);\n")
    string(APPEND rows "    {\"${corpus}\", crv_${fuzzer}},\n")
  endforeach()
  set(table ${CMAKE_BINARY_DIR}/${name}_fuzzers.cc)
  file(CONFIGURE OUTPUT ${table} @ONLY CONTENT [=[
// Written by cmake/CrvModule.cmake.
#include "replay.h"

@declarations@
namespace crivello {
namespace {
const Fuzzer kFuzzers[] = {
@rows@};
}  // namespace

std::span<const Fuzzer> Fuzzers() { return kFuzzers; }

}  // namespace crivello
]=])
  add_executable(${name}_fuzz_replay ${ARGN} ${table})
  target_link_libraries(${name}_fuzz_replay PRIVATE crv_fuzz_replay crv_${name})
  target_compile_options(${name}_fuzz_replay PRIVATE $<$<CONFIG:Release>:-O1>)
  add_test(NAME ${name}_fuzz COMMAND ${name}_fuzz_replay ${CMAKE_SOURCE_DIR}/fuzz/corpus)
  set_tests_properties(${name}_fuzz PROPERTIES LABELS fast)
endfunction()
