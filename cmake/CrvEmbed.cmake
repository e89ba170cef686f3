# crv_embed(MODULE FOLDER [DEPENDS...]): the files under src/MODULE/FOLDER become part of the library crv_MODULE, as the
# array of src/MODULE/embedded_files.h.  FOLDER may be absolute: one that is made by the build, when DEPENDS are.  This
# file is also the script that writes the source, anew when one of them changes.
# Bytes are written as numbers: a string literal has a length that compilers need not take, and any byte may occur.

if(CMAKE_SCRIPT_MODE_FILE)
  file(GLOB_RECURSE paths RELATIVE ${FOLDER} ${FOLDER}/*)
  list(SORT paths)  # not as the file system has them: same input, same bytes
  set(arrays "")
  set(rows "")
  set(number 0)
  foreach(path ${paths})
    file(READ ${FOLDER}/${path} bytes HEX)
    string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
    # A byte more than the file has: an empty file is an array too.
    string(APPEND arrays "const unsigned char k${number}[] = {${bytes}0};\n")
    string(APPEND rows "    {\"${path}\", {reinterpret_cast<const char*>(k${number}), sizeof(k${number}) - 1}},\n")
    math(EXPR number "${number} + 1")
  endforeach()
  file(WRITE ${OUTPUT} "// Written by cmake/CrvEmbed.cmake.
#include \"${MODULE}/embedded_files.h\"

namespace crivello::${MODULE} {
namespace {
${arrays}
const EmbeddedFile kFiles[] = {
${rows}};
}  // namespace

std::span<const EmbeddedFile> EmbeddedFiles() { return kFiles; }

}  // namespace crivello::${MODULE}
")
  return()
endif()

set(CRV_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

function(crv_embed module folder)
  cmake_path(ABSOLUTE_PATH folder BASE_DIRECTORY ${CMAKE_SOURCE_DIR}/src/${module} OUTPUT_VARIABLE from)
  set(to ${CMAKE_BINARY_DIR}/${module}_embedded_files.cc)
  set(files ${ARGN})
  if(NOT files)
    file(GLOB_RECURSE files CONFIGURE_DEPENDS ${from}/*)
  endif()
  add_custom_command(OUTPUT ${to}
    COMMAND ${CMAKE_COMMAND} -DMODULE=${module} -DFOLDER=${from} -DOUTPUT=${to} -P ${CRV_EMBED_SCRIPT}
    DEPENDS ${files} ${CRV_EMBED_SCRIPT} COMMENT "Embedding ${folder} in crv_${module}" VERBATIM)
  target_sources(crv_${module} PRIVATE ${to})
  # By a target of its own the file can be made alone: as part of crv_${module} it would wait for all modules below.
  add_custom_target(${module}_embedded DEPENDS ${to})
endfunction()
