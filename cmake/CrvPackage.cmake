# What is installed, and the Debian packages of it: "crivello" (component program) and "libcrivello-dev" (component
# dev).  docs/packages.md tells how they are built and what they hold.

# What the program tells of itself: man pages, completions, the sample of its configuration.
set(made ${CMAKE_BINARY_DIR}/package-files)
add_custom_command(OUTPUT ${made}/made
  COMMAND ${CMAKE_SOURCE_DIR}/packaging/make-files $<TARGET_FILE:crivello> ${PROJECT_VERSION} ${made}
  DEPENDS crivello ${CMAKE_SOURCE_DIR}/packaging/make-files COMMENT "Making what is packed beside the program" VERBATIM)
add_custom_target(package-files DEPENDS ${made}/made)
# All that cpack and `cmake --install` want.
add_custom_target(packages DEPENDS crivello package-files libcrivello)

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME program)
install(TARGETS crivello RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${made}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
install(FILES ${made}/crivello.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME crivello)
install(FILES ${made}/_crivello DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${made}/crivello.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
set(packaging ${CMAKE_SOURCE_DIR}/packaging)
install(FILES ${packaging}/crivello.service DESTINATION lib/systemd/system)
# Not below the prefix: the service looks for them there.
install(FILES ${made}/crivello.toml ${packaging}/seeds DESTINATION /etc/crivello)
install(FILES ${packaging}/alerts.yml ${packaging}/grafana.json DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/crivello/examples)
foreach(component program dev)
  set(package crivello)
  if(component STREQUAL "dev")
    set(package libcrivello-dev)
  endif()
  install(FILES ${packaging}/debian/copyright ${made}/changelog.gz
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME crivello)
set(CPACK_PACKAGE_CONTACT "Crivello <crivello@localhost>")
set(CPACK_COMPONENTS_ALL program dev)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
set(CPACK_STRIP_FILES ON)
# /etc does not stand below /usr.
set(CPACK_SET_DESTDIR ON)
set(CPACK_INSTALL_PREFIX /usr)

set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
"A web search engine that you run yourself
It crawls the web politely, archives it, builds an inverted index while it
crawls, ranks, and answers in a browser, a terminal or over HTTP.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME crivello)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION web)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS adduser)
# Without these it reads no PDF, and trusts no certificate.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "bubblewrap, ca-certificates, poppler-utils")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_CONTROL_EXTRA ${packaging}/debian/conffiles ${packaging}/debian/postinst
  ${packaging}/debian/prerm ${packaging}/debian/postrm)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_CONTROL_STRICT_PERMISSION ON)

# Who links the library needs what it stands on, as files to link: Debian knows whose those are.
set(files "")
foreach(link ${CRV_LIBRARY_LINKS})
  if(NOT TARGET ${link})
    find_library(CRV_LINK_${link} ${link} REQUIRED)
    list(APPEND files ${CRV_LINK_${link}})
  endif()
endforeach()
set(needed "")
find_program(CRV_DPKG_QUERY dpkg-query)
if(CRV_DPKG_QUERY)
  execute_process(COMMAND ${CRV_DPKG_QUERY} -S ${files} OUTPUT_VARIABLE owners ERROR_QUIET)
  string(REGEX MATCHALL "[^\n]+" owners "${owners}")
  foreach(owner ${owners})
    string(REGEX REPLACE ":.*" "" owner ${owner})
    list(APPEND needed ${owner})
  endforeach()
  list(REMOVE_DUPLICATES needed)
  list(SORT needed)
endif()
list(JOIN needed ", " needed)
set(CPACK_COMPONENT_DEV_DESCRIPTION
"library of Crivello, a web search engine
Opens a collection that the program made and searches it. Headers, a static
library, a CMake package and an example.")
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libcrivello-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "${needed}")
include(CPack)
