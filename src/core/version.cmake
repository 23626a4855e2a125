# Run at every build: cmake -D source= -D output= -D version= -D compiler= -D build_type= -D flags= -P version.cmake
# A script of the build, not of the configuration: otherwise a binary would carry the commit of the day it was first
# configured. configure_file leaves an unchanged file alone, so nothing is compiled again for it.
set(commit "")
find_program(GIT git)
if(GIT AND EXISTS ${source}/.git)   # a source archive unpacked inside another repository has no commit of ours
    execute_process(COMMAND ${GIT} -C ${source} describe --always --dirty --abbrev=12 --exclude=*
                    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(commit STREQUAL "")
    set(commit unknown)
endif()
string(REGEX REPLACE " +" " " flags "${flags}")
string(STRIP "${flags}" flags)
configure_file(${CMAKE_CURRENT_LIST_DIR}/version.hpp.in ${output} @ONLY)
