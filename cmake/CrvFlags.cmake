# Compiler flags and third-party libraries, each under one short name (crv_lib_NAME) for crv_module(... LIBS).

# The instruction set that code outside the SIMD kernels may use (kernels are dispatched at run time by
# Highway).  The default is the highest level that the building machine itself runs; a binary for others
# is built with -DCRV_ARCH=x86-64-v2.  docs/decisions/001-instruction-set.md has the numbers.
if(NOT DEFINED CRV_ARCH)
  set(arch "")
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64" AND EXISTS /proc/cpuinfo)
    file(STRINGS /proc/cpuinfo flags REGEX "^flags" LIMIT_COUNT 1)
    if(flags MATCHES " avx2 " AND flags MATCHES " bmi2 " AND flags MATCHES " abm ")
      set(arch x86-64-v3)
    elseif(flags MATCHES " popcnt " AND flags MATCHES " sse4_2 ")
      set(arch x86-64-v2)
    else()
      message(FATAL_ERROR "this processor has no SSE4.2 and popcnt (x86-64-v2), which the SIMD kernels need at least")
    endif()
  endif()
  set(CRV_ARCH "${arch}" CACHE STRING "-march= for all code; empty is the compiler's default")
endif()

set(CRV_SANITIZE "" CACHE STRING "sanitizers, as -fsanitize= takes them")

add_library(crv_flags INTERFACE)
target_include_directories(crv_flags INTERFACE ${CMAKE_SOURCE_DIR}/src)
target_compile_options(crv_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -fno-omit-frame-pointer)
# No product and sum in one rounding where the compiler happens to see both: scores are the same to the last bit by
# every algorithm, compiler and instruction set.
target_compile_options(crv_flags INTERFACE -ffp-contract=off)
# g++ 12 sees faults in std::string's own members when it inlines them (its bugs 105329 and 105651); clang and
# the sanitizers look for the same in CI.
target_compile_options(crv_flags INTERFACE
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict -Wno-stringop-overflow -Wno-array-bounds>)
if(CRV_JOIN)
  # Of types in a file that is not the one compiled, as if all of those were headers.
  target_compile_options(crv_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endif()
if(CRV_ARCH)
  target_compile_options(crv_flags INTERFACE -march=${CRV_ARCH})
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  target_compile_options(crv_flags INTERFACE -Wthread-safety)
endif()
if(CRV_SANITIZE)
  target_compile_options(crv_flags INTERFACE -fsanitize=${CRV_SANITIZE} -fno-sanitize-recover=all)
  target_link_options(crv_flags INTERFACE -fsanitize=${CRV_SANITIZE})
  # Instrumented code looks uninitialised to g++ where it is not (<regex> does); its manual says as much.
  target_compile_options(crv_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  if(CRV_SANITIZE MATCHES "thread")
    # moodycamel orders by fences, which tsan does not model; g++ says so with a warning.
    target_compile_options(crv_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-tsan>)
  endif()
endif()

# A clone reuses what another clone on the machine compiled: paths below the source tree count as relative, the folder of
# the build does not count, and a precompiled header (-fpch-preprocess) counts by what is in it.
find_program(CRV_CCACHE ccache)
if(CRV_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=true
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${CRV_CCACHE})
  target_compile_options(crv_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endif()

# crv_lib(NAME [LINK libs...] [INCLUDE dirs...]): a third-party library; its headers are SYSTEM, so warnings stay ours.
function(crv_lib name)
  cmake_parse_arguments(A "" "" "LINK;INCLUDE" ${ARGN})
  add_library(crv_lib_${name} INTERFACE)
  target_link_libraries(crv_lib_${name} INTERFACE ${A_LINK})
  target_include_directories(crv_lib_${name} SYSTEM INTERFACE ${A_INCLUDE})
endfunction()

find_package(Threads REQUIRED)
crv_lib(threads LINK Threads::Threads)
crv_lib(fmt LINK fmt)
crv_lib(xxhash)
crv_lib(concurrentqueue)
crv_lib(hwy LINK hwy)
crv_lib(cli11)
crv_lib(json)
crv_lib(archive LINK archive)
crv_lib(boost)
crv_lib(brotli LINK brotlidec)
crv_lib(cares LINK cares)
crv_lib(cld2 LINK cld2)
crv_lib(crypto LINK crypto)
crv_lib(curl LINK curl)
crv_lib(deflate LINK deflate)
crv_lib(hunspell LINK hunspell-1.7)
crv_lib(icu LINK icuuc icudata)
crv_lib(marisa LINK marisa)
crv_lib(nats LINK nats)
crv_lib(psl LINK psl)
crv_lib(rocksdb LINK rocksdb)
crv_lib(simdjson LINK simdjson)
crv_lib(stemmer LINK stemmer)
crv_lib(toml)
crv_lib(uchardet LINK uchardet)
crv_lib(xml2 LINK xml2 INCLUDE /usr/include/libxml2)
crv_lib(zlib LINK z)
crv_lib(zstd LINK zstd)
crv_lib(streamvbyte LINK streamvbyte)
crv_lib(sdsl LINK sdsl)
crv_lib(igraph LINK igraph)
