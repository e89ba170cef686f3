# crv_bundle(MODULE FOLDER): the files of FOLDER, as browsers take them, become embedded files of crv_MODULE
# (CrvEmbed.cmake): esbuild makes one script of each .ts, with what that imports from the folders
# below, and makes .css small; .svg stay as they are.

function(crv_bundle module folder)
  find_program(CRV_ESBUILD esbuild REQUIRED)
  set(from ${CMAKE_SOURCE_DIR}/${folder})
  set(to ${CMAKE_BINARY_DIR}/${folder})
  file(GLOB bundled CONFIGURE_DEPENDS ${from}/*.ts ${from}/*.css)
  file(GLOB_RECURSE parts CONFIGURE_DEPENDS ${from}/*/*.ts)
  file(GLOB copied CONFIGURE_DEPENDS ${from}/*.svg)
  add_custom_command(OUTPUT ${to}.made
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${to}
    COMMAND ${CRV_ESBUILD} ${bundled} --bundle --minify --target=es2020 --charset=utf8 --log-level=warning --outdir=${to}
    COMMAND ${CMAKE_COMMAND} -E copy ${copied} ${to}
    COMMAND ${CMAKE_COMMAND} -E touch ${to}.made
    DEPENDS ${bundled} ${parts} ${copied} COMMENT "Bundling ${folder}" VERBATIM)
  crv_embed(${module} ${to} ${to}.made)
endfunction()
