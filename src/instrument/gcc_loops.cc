// A plugin of gcc: what an instrumented loop touches is recorded once, before the loop.
//
// -fsanitize=thread calls back for each load and store, and a loop that calls is neither vectorised
// nor keeps anything in registers. Behind that pass this one looks for callbacks whose address
// rises by a fixed step and that every iteration of a counted loop makes: address, step and number
// of iterations are known before it. One call says them there (vouch_access_pattern,
// src/shim/program/access.cc), and the callback goes; the same once more for the loop around. All
// others stay as they are, so what is seen does not depend on this plugin.
//
// Within such a loop nothing may happen that orders (atomic operations, volatile accesses, calls of
// functions that are not known): only then it does not matter where in the loop it was.
//
// It also lets the thread sanitizer take every variable whose address was taken for shared:
// gfortran believes that MPI does not keep the address of an argument.

// gcc's headers need each other in this order.
// clang-format off
#include <gcc-plugin.h>
#include <tree.h>
#include <gimple.h>
#include <tree-pass.h>
#include <context.h>
#include <plugin-version.h>
#include <basic-block.h>
#include <ssa.h>
#include <builtins.h>
#include <cfgloop.h>
#include <fold-const.h>
#include <gimple-iterator.h>
#include <gimplify.h>
#include <gimplify-me.h>
#include <internal-fn.h>
#include <stringpool.h>
#include <tree-cfg.h>
#include <tree-chrec.h>
#include <tree-into-ssa.h>
#include <tree-scalar-evolution.h>
#include <tree-ssa-loop-ivopts.h>
#include <tree-ssa-loop-manip.h>
#include <tree-ssa-loop-niter.h>
#include <tree-ssa-loop.h>
// clang-format on

__attribute__((visibility("default"))) int plugin_is_GPL_compatible;

namespace {

// Printed if VOUCH_COUNTS is set (vouch cc --counts).
struct {
  unsigned all = 0, before_loops = 0;
} counts;

constexpr const char* kPattern = "vouch_access_pattern";
constexpr unsigned kWrites = 1 << 8;  // beside the bytes of an element

// void vouch_access_pattern(void* at, long step, long count, long stride, long rows, unsigned what)
tree the_function = nullptr;
// gcc collects what nobody names.
const ggc_root_tab kRoots[] = {
    {&the_function, 1, sizeof(the_function), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
    LAST_GGC_ROOT_TAB};

tree pattern_function() {
  if (the_function != nullptr) return the_function;
  const tree type = build_function_type_list(void_type_node, ptr_type_node, ssizetype, ssizetype,
                                             ssizetype, ssizetype, unsigned_type_node, NULL_TREE);
  the_function = build_fn_decl(kPattern, type);
  TREE_NOTHROW(the_function) = 1;
  DECL_ATTRIBUTES(the_function) = tree_cons(get_identifier("leaf"), NULL_TREE, NULL_TREE);
  return the_function;
}

// A callback of the sanitizer for an element of a fixed size; its size and direction.
bool is_callback(const gimple* statement, unsigned& what) {
  if (!gimple_call_builtin_p(statement, BUILT_IN_NORMAL)) return false;
  switch (DECL_FUNCTION_CODE(gimple_call_fndecl(statement))) {
#define VOUCH_SIZE(size)          \
  case BUILT_IN_TSAN_READ##size:  \
    what = size;                  \
    return true;                  \
  case BUILT_IN_TSAN_WRITE##size: \
    what = size | kWrites;        \
    return true;
    VOUCH_SIZE(1)
    VOUCH_SIZE(2)
    VOUCH_SIZE(4)
    VOUCH_SIZE(8)
    VOUCH_SIZE(16)
#undef VOUCH_SIZE
    default:
      return false;
  }
}

bool is_pattern(const gimple* statement) {
  return is_gimple_call(statement) && gimple_call_fndecl(statement) == pattern_function();
}

// It can neither order accesses nor end the loop.
bool is_harmless(const gimple* statement) {
  switch (gimple_code(statement)) {
    case GIMPLE_ASM:
      return false;
    case GIMPLE_CALL:
      break;
    default:
      return !gimple_has_volatile_ops(statement);
  }
  unsigned what;
  if (is_callback(statement, what) || is_pattern(statement) || gimple_call_internal_p(statement))
    return true;
  if ((gimple_call_flags(statement) & (ECF_CONST | ECF_PURE)) != 0) return true;
  if (!gimple_call_builtin_p(statement, BUILT_IN_NORMAL)) return false;
  const built_in_function code = DECL_FUNCTION_CODE(gimple_call_fndecl(statement));
  switch (code) {
    case BUILT_IN_MEMCPY:
    case BUILT_IN_MEMMOVE:
    case BUILT_IN_MEMSET:
    case BUILT_IN_TSAN_READ_RANGE:
    case BUILT_IN_TSAN_WRITE_RANGE:
      return true;
    default:
      // sqrt and its kin may set errno.
      return mathfn_built_in_type(static_cast<combined_fn>(code)) != NULL_TREE;
  }
}

// A loop with one exit whose iterations can be counted before it.
struct CountedLoop {
  class loop* loop = nullptr;
  edge exit = nullptr;
  tree latches = nullptr;  // how often it goes back
};

bool count(class loop* loop, CountedLoop& counted) {
  const edge exit = single_exit(loop);
  if (exit == nullptr || (exit->flags & (EDGE_ABNORMAL | EDGE_EH)) != 0 || loop->latch == nullptr)
    return false;
  if (!just_once_each_iteration_p(loop, exit->src)) return false;
  class tree_niter_desc about;
  if (!number_of_iterations_exit(loop, exit, &about, false) || about.niter == nullptr ||
      TREE_CODE(about.niter) == SCEV_NOT_KNOWN)
    return false;
  if (!integer_zerop(about.may_be_zero) || !integer_onep(about.assumptions)) return false;
  counted = {loop, exit, about.niter};
  return true;
}

bool all_harmless(class loop* loop) {
  basic_block* blocks = get_loop_body(loop);
  bool harmless = true;
  for (unsigned i = 0; harmless && i < loop->num_nodes; ++i)
    for (gimple_stmt_iterator at = gsi_start_bb(blocks[i]); harmless && !gsi_end_p(at);
         gsi_next(&at))
      harmless = is_harmless(gsi_stmt(at));
  free(blocks);
  return harmless;
}

// What a call says, with the loop around it added; nullptr where nothing is known.
class Hoist {
 public:
  explicit Hoist(const CountedLoop& counted) : counted_(counted) {}
  bool run() {
    basic_block* blocks = get_loop_body(counted_.loop);
    bool changed = false;
    for (unsigned i = 0; i < counted_.loop->num_nodes; ++i) {
      // Blocks of loops inside have been looked at.
      if (blocks[i]->loop_father != counted_.loop ||
          !just_once_each_iteration_p(counted_.loop, blocks[i]))
        continue;
      for (gimple_stmt_iterator at = gsi_start_bb(blocks[i]); !gsi_end_p(at);)
        if (!hoist(at))
          gsi_next(&at);
        else
          changed = true;
    }
    free(blocks);
    return changed;
  }

 private:
  // How often this block is executed.
  tree times(basic_block block) const {
    const bool every_time =
        block == counted_.exit->src || dominated_by_p(CDI_DOMINATORS, counted_.exit->src, block);
    const tree latches = fold_convert(ssizetype, counted_.latches);
    return every_time ? fold_build2(PLUS_EXPR, ssizetype, latches, ssize_int(1)) : latches;
  }
  bool fixed(tree value) const { return expr_invariant_in_loop_p(counted_.loop, value); }

  bool hoist(gimple_stmt_iterator& at) {
    gimple* statement = gsi_stmt(at);
    unsigned what = 0;
    const bool element = is_callback(statement, what);
    if (!element && !is_pattern(statement)) return false;
    affine_iv address;
    if (!simple_iv(counted_.loop, counted_.loop, gimple_call_arg(statement, 0), &address, true))
      return false;
    tree words[6];  // as the function has them
    words[0] = address.base;
    const tree step =
        fold_convert(ssizetype, address.step == NULL_TREE ? ssize_int(0) : address.step);
    if (element) {
      words[1] = step;
      words[2] = times(gimple_bb(statement));
      words[3] = ssize_int(0);
      words[4] = ssize_int(1);
      words[5] = build_int_cst(unsigned_type_node, what);
    } else {
      for (unsigned i = 1; i < 6; ++i) {
        words[i] = gimple_call_arg(statement, i);
        if (!fixed(words[i])) return false;
      }
      if (!integer_zerop(words[3]) || !integer_onep(words[4])) return false;  // rows already
      words[3] = step;
      words[4] = times(gimple_bb(statement));
    }
    for (const tree word : words)
      if (tree_contains_chrecs(word, nullptr)) return false;
    counts.before_loops += element;
    say(words, gimple_location(statement));
    unlink_stmt_vdef(statement);
    gsi_remove(&at, true);
    return true;
  }

  void say(const tree (&words)[6], location_t location) const {
    gimple_seq before = nullptr;
    tree values[6];
    for (unsigned i = 0; i < 6; ++i) {
      gimple_seq part = nullptr;
      values[i] = force_gimple_operand(unshare_expr(words[i]), &part, true, NULL_TREE);
      gimple_seq_add_seq(&before, part);
    }
    gcall* call = gimple_build_call(pattern_function(), 6, values[0], values[1], values[2],
                                    values[3], values[4], values[5]);
    gimple_set_location(call, location);
    gimple_seq_add_stmt(&before, call);
    gsi_insert_seq_on_edge_immediate(loop_preheader_edge(counted_.loop), before);
  }

  CountedLoop counted_;
};

bool has_callbacks(function* in) {
  basic_block block;
  unsigned what, found = 0;
  FOR_EACH_BB_FN(block, in)
  for (gimple_stmt_iterator at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at))
    found += is_callback(gsi_stmt(at), what);
  counts.all += found;
  return found != 0;
}

bool hoist_all(function* in) {
  bool changed = false;
  for (class loop* loop : loops_list(in, LI_FROM_INNERMOST)) {
    CountedLoop counted;
    if (!count(loop, counted) || !all_harmless(loop)) continue;
    changed = Hoist(counted).run() || changed;
  }
  return changed;
}

constexpr pass_data kHoist = {
    GIMPLE_PASS, "vouch_loops", OPTGROUP_NONE, TV_NONE, PROP_ssa | PROP_cfg, 0, 0, 0, 0};

class HoistPass : public gimple_opt_pass {
 public:
  explicit HoistPass(gcc::context* context) : gimple_opt_pass(kHoist, context) {}
  opt_pass* clone() override { return new HoistPass(m_ctxt); }
  unsigned execute(function* in) override {
    in->gimple_df->escaped.anything = escaped_;
    if (!has_callbacks(in) || optimize == 0) return 0;
    loop_optimizer_init(LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
    bool changed = false;
    if (number_of_loops(in) > 1) {
      scev_initialize();
      calculate_dominance_info(CDI_DOMINATORS);
      changed = hoist_all(in);
      scev_finalize();
    }
    loop_optimizer_finalize();
    if (!changed) return 0;
    mark_virtual_operands_for_renaming(in);
    return TODO_update_ssa_only_virtuals;
  }
  static bool escaped_;
};
bool HoistPass::escaped_ = false;

constexpr pass_data kShare = {
    GIMPLE_PASS, "vouch_share", OPTGROUP_NONE, TV_NONE, PROP_ssa | PROP_cfg, 0, 0, 0, 0};

// What the thread sanitizer asks before it leaves a variable out.
class SharePass : public gimple_opt_pass {
 public:
  explicit SharePass(gcc::context* context) : gimple_opt_pass(kShare, context) {}
  opt_pass* clone() override { return new SharePass(m_ctxt); }
  unsigned execute(function* in) override {
    HoistPass::escaped_ = in->gimple_df->escaped.anything;
    in->gimple_df->escaped.anything = true;
    return 0;
  }
};

void print_counts(void*, void*) {
  if (getenv("VOUCH_COUNTS") != nullptr)
    fprintf(stderr, "vouch: %s: %u loads and stores; %u are told before their loops\n",
            main_input_filename, counts.all, counts.before_loops);
}

void add(opt_pass* pass, const char* name, pass_positioning_ops where) {
  register_pass_info about = {pass, "tsan", 0, where};
  register_callback(name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &about);
}

}  // namespace

__attribute__((visibility("default"))) int plugin_init(plugin_name_args* plugin,
                                                       plugin_gcc_version* version) {
  // vouch cc has asked which gcc it is, and relies on the passes: arrays would be missed quietly.
  if (!plugin_default_version_check(version, &gcc_version)) return 1;
  register_callback(plugin->base_name, PLUGIN_REGISTER_GGC_ROOTS, nullptr,
                    const_cast<ggc_root_tab*>(kRoots));
  register_callback(plugin->base_name, PLUGIN_FINISH, print_counts, nullptr);
  add(new SharePass(g), plugin->base_name, PASS_POS_INSERT_BEFORE);
  add(new HoistPass(g), plugin->base_name, PASS_POS_INSERT_AFTER);
  return 0;
}
