# ParaView's Catalyst libraries as Debian ships them (5.11). find_package(ParaView) fails there: its configuration does not look up the
# packages of modules that are reached indirectly. Gives the target ParaViewCatalyst::ParaViewCatalyst.
find_path(ParaViewCatalyst_INCLUDE_DIR vtkCPProcessor.h PATH_SUFFIXES paraview-5.13 paraview-5.12 paraview-5.11)
if(ParaViewCatalyst_INCLUDE_DIR MATCHES "paraview-([0-9]+\\.[0-9]+)$")
    set(ParaViewCatalyst_VERSION "${CMAKE_MATCH_1}")
endif()
set(_required)
set(_libraries)
foreach(module PVCatalyst PVPythonCatalyst CommonCore CommonDataModel CommonSystem sys ParallelCore ParallelMPI
               PythonInterpreter RemotingCore RemotingServerManager RemotingViews RemotingLive
               RemotingClientServerStream RenderingCore RenderingOpenGL2)
    find_library(ParaViewCatalyst_${module}_LIBRARY vtk${module}-pv${ParaViewCatalyst_VERSION})
    mark_as_advanced(ParaViewCatalyst_${module}_LIBRARY)
    list(APPEND _required ParaViewCatalyst_${module}_LIBRARY)
    list(APPEND _libraries "${ParaViewCatalyst_${module}_LIBRARY}")
endforeach()
# ParaView's Python libraries leave the symbols of libpython undefined: it must be the one they were built for.
get_filename_component(_folder "${ParaViewCatalyst_PVCatalyst_LIBRARY}" DIRECTORY)
file(GLOB _wrapping "${_folder}/libvtkWrappingPythonCore*-pv${ParaViewCatalyst_VERSION}.so")
if(_wrapping MATCHES "WrappingPythonCore([0-9]+\\.[0-9]+)-pv")
    find_library(ParaViewCatalyst_PYTHON_LIBRARY NAMES python${CMAKE_MATCH_1} libpython${CMAKE_MATCH_1}.so.1.0
                 HINTS "${_folder}" NO_CMAKE_ENVIRONMENT_PATH NO_SYSTEM_ENVIRONMENT_PATH)
endif()
mark_as_advanced(ParaViewCatalyst_INCLUDE_DIR ParaViewCatalyst_PYTHON_LIBRARY)
list(APPEND _required ParaViewCatalyst_PYTHON_LIBRARY)
list(APPEND _libraries -Wl,--push-state,--no-as-needed "${ParaViewCatalyst_PYTHON_LIBRARY}" -Wl,--pop-state)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(ParaViewCatalyst REQUIRED_VARS ParaViewCatalyst_INCLUDE_DIR ${_required}
                                  VERSION_VAR ParaViewCatalyst_VERSION)
if(ParaViewCatalyst_FOUND AND NOT TARGET ParaViewCatalyst::ParaViewCatalyst)
    add_library(ParaViewCatalyst::ParaViewCatalyst INTERFACE IMPORTED)
    set_target_properties(ParaViewCatalyst::ParaViewCatalyst PROPERTIES
        INTERFACE_INCLUDE_DIRECTORIES "${ParaViewCatalyst_INCLUDE_DIR}" INTERFACE_LINK_LIBRARIES "${_libraries}")
endif()
