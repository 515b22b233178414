# Which MPI libraries are here, and where their headers lie. At least one is needed.
#
# Debian keeps both side by side under suffixed names; elsewhere the one called mpicc is taken for what it says it is.
# Sets VOUCH_MPIS (openmpi, mpich), and for each VOUCH_<mpi>_CC, VOUCH_<mpi>_INCLUDES.

set(VOUCH_MPIS "")
foreach(mpi openmpi mpich)
  find_program(VOUCH_${mpi}_CC mpicc.${mpi})
endforeach()
if(NOT VOUCH_openmpi_CC AND NOT VOUCH_mpich_CC)
  find_program(VOUCH_PLAIN_CC mpicc)
  if(VOUCH_PLAIN_CC)
    execute_process(COMMAND ${VOUCH_PLAIN_CC} -show OUTPUT_VARIABLE shown ERROR_QUIET)
    if(shown MATCHES "openmpi|open-mpi|-lmpi_|orte|opal")
      set(VOUCH_openmpi_CC ${VOUCH_PLAIN_CC} CACHE FILEPATH "" FORCE)
    else()
      set(VOUCH_mpich_CC ${VOUCH_PLAIN_CC} CACHE FILEPATH "" FORCE)
    endif()
  endif()
endif()

foreach(mpi openmpi mpich)
  if(VOUCH_${mpi}_CC)
    execute_process(COMMAND ${VOUCH_${mpi}_CC} -show OUTPUT_VARIABLE shown RESULT_VARIABLE failed ERROR_QUIET)
    if(NOT failed)
      string(REGEX MATCHALL "-I[^ \n]+" includes "${shown}")
      list(TRANSFORM includes REPLACE "^-I" "")
      set(VOUCH_${mpi}_INCLUDES ${includes})
      list(APPEND VOUCH_MPIS ${mpi})
    endif()
  endif()
endforeach()

if(NOT VOUCH_MPIS)
  message(FATAL_ERROR "No MPI compiler found: install libopenmpi-dev or libmpich-dev (or both).")
endif()
message(STATUS "MPI libraries: ${VOUCH_MPIS}")
