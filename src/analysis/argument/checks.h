// The checks that plans are made of. Each judges one parameter (Step::param), or the call as a
// whole, and fires.

#pragma once

#include "analysis/argument/check.h"

namespace vouch {

// Handles --------
void check_comm(Checker&, const Step&);       // any kind of communicator
void check_intracomm(Checker&, const Step&);  // defined on intra-communicators only
void check_intercomm(Checker&, const Step&);
void check_topology(Checker&, const Step&);       // has the topology that the call asks for
void check_datatype(Checker&, const Step&);       // other: its count
void check_datatypes(Checker&, const Step&);      // array; other: its counts
void check_old_datatype(Checker&, const Step&);   // in a constructor
void check_old_datatypes(Checker&, const Step&);  // array; other: blocklengths
void check_op(Checker&, const Step&);
void check_group(Checker&, const Step&);
void check_window(Checker&, const Step&);
void check_file(Checker&, const Step&);
void check_info(Checker&, const Step&);      // a hint: MPI_INFO_NULL is fine
void check_own_info(Checker&, const Step&);  // MPI_Info_*: it is not
void check_infos(Checker&, const Step&);     // array of hints
void check_errhandler(Checker&, const Step&);
void check_keyval(Checker&, const Step&);
void check_session(Checker&, const Step&);
void check_free(Checker&, const Step&);  // any kind, about to be freed

// Ranges and constants --------
void check_rank(Checker&, const Step&);  // other: communicator, window or group
void check_tag(Checker&, const Step&);
void check_count(Checker&, const Step&);     // scalar: not negative
void check_counts(Checker&, const Step&);    // array
void check_positive(Checker&, const Step&);  // partitions, displacement unit
void check_root(Checker&, const Step&);
void check_pointer(Checker&, const Step&);   // not NULL
void check_array(Checker&, const Step&);     // not NULL unless empty
void check_constant(Checker&, const Step&);  // one of the constants of its kind
void check_assert(Checker&, const Step&);
void check_split_type(Checker&, const Step&);
void check_color(Checker&, const Step&);
void check_amode(Checker&, const Step&);
void check_offset(Checker&, const Step&);
void check_promises(Checker&, const Step&);  // param: source or tag; other: communicator

// Strings --------
void check_info_key(Checker&, const Step&);
void check_info_value(Checker&, const Step&);

// Groups --------
void check_group_ranks(Checker&, const Step&);  // ranks of a new group: each once
void check_group_ranges(Checker&, const Step&);
void check_translated_ranks(Checker&, const Step&);
void check_subgroup(Checker&, const Step&);  // param: group; other: communicator that must hold it

// Datatype constructors --------
void check_subarray(Checker&, const Step&);
void check_darray(Checker&, const Step&);

// Topologies --------
void check_cart(Checker&, const Step&);
void check_graph(Checker&, const Step&);
void check_dist_graph(Checker&, const Step&);
void check_dims_create(Checker&, const Step&);
void check_direction(Checker&, const Step&);
void check_coords(Checker&, const Step&);
void check_maxdims(Checker&, const Step&);

// Processes and ports --------
void check_maxprocs(Checker&, const Step&);
void check_command(Checker&, const Step&);
void check_port(Checker&, const Step&);

// Types --------
void check_committed(Checker&, const Step&);  // other: its count
void check_op_type(Checker&, const Step&);    // param: op; other: datatype
void check_accumulate(Checker&, const Step&);

// Buffers --------
void check_buffer(Checker&, const Step&);
void check_memory(Checker&, const Step&);  // a buffer that bytes describe: other: its size

}  // namespace vouch
