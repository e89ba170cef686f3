# crv_library(MODULE): what programs of others link: the static library crivello, which is MODULE with all that it
# uses, the headers of include/crivello, and a CMake package that names the libraries of others (find_package(Crivello)).
# Component "dev" of the installation.

# The modules of ours and the libraries of others that a target is made of, in the order of linking.
function(crv_parts target to_modules to_libraries)
  get_target_property(links ${target} INTERFACE_LINK_LIBRARIES)
  set(mine ${${to_modules}} ${target})
  set(theirs ${${to_libraries}})
  foreach(link ${links})
    if(link MATCHES "^crv_lib_")
      get_target_property(names ${link} INTERFACE_LINK_LIBRARIES)
      if(names)
        list(APPEND theirs ${names})
      endif()
    elseif(link MATCHES "^crv_" AND NOT link STREQUAL "crv_flags" AND NOT link IN_LIST mine)
      crv_parts(${link} mine theirs)
    endif()
  endforeach()
  list(REMOVE_DUPLICATES theirs)
  set(${to_modules} ${mine} PARENT_SCOPE)
  set(${to_libraries} ${theirs} PARENT_SCOPE)
endfunction()

function(crv_library module)
  set(modules "")
  set(libraries "")
  crv_parts(crv_${module} modules libraries)
  list(REMOVE_DUPLICATES modules)

  # One archive of theirs all, by ar's own language.
  set(archive ${CMAKE_BINARY_DIR}/libcrivello.a)
  set(script "create ${archive}\n")
  foreach(part ${modules})
    string(APPEND script "addlib $<TARGET_FILE:${part}>\n")
  endforeach()
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/libcrivello.mri CONTENT "${script}save\nend\n")
  add_custom_command(OUTPUT ${archive}
    COMMAND ${CMAKE_COMMAND} -E rm -f ${archive}
    COMMAND sh -c "'${CMAKE_AR}' -M < '${CMAKE_BINARY_DIR}/libcrivello.mri'"
    COMMAND ${CMAKE_STRIP} --strip-debug ${archive}
    DEPENDS ${modules} ${CMAKE_BINARY_DIR}/libcrivello.mri COMMENT "Joining libcrivello.a" VERBATIM)
  add_custom_target(libcrivello DEPENDS ${archive})

  include(CMakePackageConfigHelpers)
  set(CRV_LIBRARIES ${libraries})
  configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/CrivelloConfig.cmake.in
    ${CMAKE_BINARY_DIR}/CrivelloConfig.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Crivello
    PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
  write_basic_package_version_file(${CMAKE_BINARY_DIR}/CrivelloConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES ${archive} DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
  install(FILES ${CMAKE_SOURCE_DIR}/include/crivello/search.h ${CMAKE_SOURCE_DIR}/src/base/status.h
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/crivello COMPONENT dev)
  install(FILES ${CMAKE_BINARY_DIR}/CrivelloConfig.cmake ${CMAKE_BINARY_DIR}/CrivelloConfigVersion.cmake
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/Crivello COMPONENT dev)
  install(FILES ${CMAKE_SOURCE_DIR}/examples/search.cc ${CMAKE_SOURCE_DIR}/examples/CMakeLists.txt
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libcrivello-dev/examples COMPONENT dev)
  set(CRV_LIBRARY_LINKS ${libraries} PARENT_SCOPE)
endfunction()
