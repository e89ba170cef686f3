# The layer check lets good includes pass and stops at a bad one: two small trees are configured.
file(REMOVE_RECURSE ${WORK})
foreach(case good bad)
  set(dir ${WORK}/${case})
  file(WRITE ${dir}/src/low/low.cc "")
  file(WRITE ${dir}/src/middle/middle.h "#include \"low/low.h\"\n")
  file(WRITE ${dir}/src/high/high.cc "#include <vector>\n#include \"high/high.h\"\n#include \"low/low.h\"\n")
  file(WRITE ${dir}/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)\nproject(x NONE)\n"
    "include(${SOURCE}/cmake/CrvLayers.cmake)\n"
    "crv_check_layers(low \"\")\ncrv_check_layers(middle low)\ncrv_check_layers(high middle)\n")
endforeach()
file(WRITE ${WORK}/bad/src/low/low.cc "#include \"high/high.h\"\n")

execute_process(COMMAND ${CMAKE_COMMAND} -G Ninja -S ${WORK}/good -B ${WORK}/good/build RESULT_VARIABLE good OUTPUT_QUIET)
execute_process(COMMAND ${CMAKE_COMMAND} -G Ninja -S ${WORK}/bad -B ${WORK}/bad/build RESULT_VARIABLE bad OUTPUT_QUIET ERROR_VARIABLE said)
if(NOT good EQUAL 0)
  message(FATAL_ERROR "a tree without fault was refused")
endif()
if(bad EQUAL 0 OR NOT said MATCHES "layer check:.*low.cc:[ \n]+#include[ \n]+\"high/high.h\"")
  message(FATAL_ERROR "an include that points up was not refused: ${said}")
endif()
