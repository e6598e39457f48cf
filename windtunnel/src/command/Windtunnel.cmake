# Windtunnel for CMake: safety checks of MPI programs as tests.
#
#   find_program(WINDTUNNEL windtunnel REQUIRED)
#   get_filename_component(folder ${WINDTUNNEL} DIRECTORY)
#   include(${folder}/Windtunnel.cmake)
#
#   windtunnel_add_check(TARGET [RANKS number...] [ARGUMENTS word...] [OPTIONS word...] [TIMEOUT seconds])
#
# adds the tests windtunnel.TARGET.NUMBER, which pass if `windtunnel check` has no findings that count with
# that number of ranks (default: 2 4). ARGUMENTS are the program's, OPTIONS those of `windtunnel check`.
# The target is compiled by the wrappers, CC=mpicc.

find_program(WINDTUNNEL windtunnel HINTS "${CMAKE_CURRENT_LIST_DIR}")
if(NOT WINDTUNNEL)
  message(FATAL_ERROR "windtunnel is not in the PATH")
endif()

function(windtunnel_add_check target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "RANKS;ARGUMENTS;OPTIONS")
  if(NOT TARGET ${target})
    message(FATAL_ERROR "windtunnel_add_check: ${target} is no target")
  endif()
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "windtunnel_add_check: unknown words: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_RANKS)
    set(arg_RANKS 2 4)
  endif()
  set(program_arguments "")
  if(arg_ARGUMENTS)
    set(program_arguments -- ${arg_ARGUMENTS})
  endif()
  foreach(ranks IN LISTS arg_RANKS)
    set(name windtunnel.${target}.${ranks})
    add_test(NAME ${name}
      COMMAND ${WINDTUNNEL} check $<TARGET_FILE:${target}> -n ${ranks} ${arg_OPTIONS} ${program_arguments})
    set_tests_properties(${name} PROPERTIES LABELS windtunnel)
    if(arg_TIMEOUT)
      set_tests_properties(${name} PROPERTIES TIMEOUT ${arg_TIMEOUT})
    endif()
  endforeach()
endfunction()
