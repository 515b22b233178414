# Runs the generator when a table, an emitter or an installed header changed. Target: vouch_gen.

set(VOUCH_GEN_DIR ${CMAKE_BINARY_DIR}/gen)
file(GLOB VOUCH_GEN_INPUTS CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/api/*.api ${CMAKE_SOURCE_DIR}/gen/*.py)
set(VOUCH_GEN_HEADERS "")
foreach(mpi ${VOUCH_MPIS})
  list(APPEND VOUCH_GEN_HEADERS --header ${mpi}=${VOUCH_${mpi}_CC})
endforeach()

# Once at configure time, so that the lists of generated files are known; again when an input changes.
set(VOUCH_GEN_COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/gen/vouchgen.py --out ${VOUCH_GEN_DIR} ${VOUCH_GEN_HEADERS})
execute_process(COMMAND ${VOUCH_GEN_COMMAND} RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "The generator failed: see its message above.")
endif()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${VOUCH_GEN_INPUTS})
add_custom_target(vouch_gen)
