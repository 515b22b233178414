// A plugin of clang: calls back for the program's loads and stores, but for those that surely touch
// no memory that MPI knows of.
//
// It stands in for -fsanitize=thread, and its callbacks are answered by the same part of vouch in
// the program (src/shim/program). Three things it does better:
//
//  - Memory of which no other function can have the address is neither a window nor a buffer of
//    communication: variables and blocks of the heap whose address the function keeps to itself or
//    gives only to functions that do not keep or pass it on (clang knows which ones do), and static
//    variables of which nobody takes the address. Accesses to it are left out.
//  - Arrays on the stack whose address was given away are not left out (clang before 22 does so).
//  - What an instruction touches in a loop whose iterations can be counted is said once, before the
//    loop, if nothing in the loop can order accesses: the loop stays as it is, and can be
//    vectorised.
//
// It runs before loops are vectorised, or last of all where nothing is optimised. From the
// beginning functions have the mark of the sanitizer, which keeps the optimiser from loads that the
// program does not make; what was instrumented loses it.
//
// Misses: masked loads and stores by intrinsics of a processor.

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/AliasAnalysis.h>
#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include <cstdlib>
#include <optional>

namespace {

using namespace llvm;

constexpr unsigned kWrites = 1 << 8;  // beside the bytes of an element
constexpr unsigned kMostBytes = kWrites - 1;
constexpr unsigned kMostUnrolled = 2;  // loops around one another that become one pattern

// What of the accesses became of them; printed if VOUCH_COUNTS is set (vouch cc --counts).
struct Counts {
  unsigned all = 0, left_out = 0, before_loops = 0;
};

// ---- What need not be seen ----

// Nobody but loads and stores through it knows the address of this static variable.
bool address_stays(const Value* value) {
  SmallVector<const Value*, 8> todo{value};
  SmallPtrSet<const Value*, 16> seen;
  while (!todo.empty()) {
    for (const Use& use : todo.pop_back_val()->uses()) {
      const User* user = use.getUser();
      if (isa<LoadInst>(user)) continue;
      if (const auto* store = dyn_cast<StoreInst>(user)) {
        if (store->getValueOperand() == use.get()) return false;
        continue;
      }
      if (isa<GEPOperator>(user) || isa<BitCastOperator>(user)) {
        if (seen.insert(user).second) todo.push_back(user);
        continue;
      }
      const auto* call = dyn_cast<CallBase>(user);
      if (call == nullptr || !call->isDataOperand(&use) ||
          !call->doesNotCapture(call->getDataOperandNo(&use)))
        return false;
    }
  }
  return true;
}

class Private {
 public:
  bool operator()(const Value* address) {
    const Value* object = getUnderlyingObject(address, 0);
    const auto [known, is_new] = known_.try_emplace(object, false);
    if (is_new) known_[object] = is_private(object);
    return known_[object];
  }

 private:
  static bool is_private(const Value* object) {
    if (const auto* variable = dyn_cast<GlobalVariable>(object))
      return variable->isConstant() || (variable->hasLocalLinkage() && address_stays(variable));
    // A block of the heap that is returned or stored belongs to others.
    if (isa<AllocaInst>(object) || isNoAliasCall(object))
      return !PointerMayBeCaptured(object, /*ReturnCaptures=*/true, /*StoreCaptures=*/true);
    return false;
  }
  DenseMap<const Value*, bool> known_;
};

// ---- Accesses of a function ----

struct Touch {
  Instruction* at;
  Value* address;
  Type* type;
  bool writes;
};

std::optional<Touch> touch_of(Instruction& i) {
  if (auto* load = dyn_cast<LoadInst>(&i); load != nullptr && !load->isAtomic())
    return Touch{load, load->getPointerOperand(), load->getType(), false};
  if (auto* store = dyn_cast<StoreInst>(&i); store != nullptr && !store->isAtomic())
    return Touch{store, store->getPointerOperand(), store->getValueOperand()->getType(), true};
  return std::nullopt;
}

bool is_volatile(const Instruction& i) {
  if (const auto* load = dyn_cast<LoadInst>(&i)) return load->isVolatile();
  if (const auto* store = dyn_cast<StoreInst>(&i)) return store->isVolatile();
  return false;
}

// The optimiser takes the line away from what it moves: then what the value is used for has it.
DebugLoc line_of(const Touch& touch) {
  const auto has_line = [](const Value* v) {
    const auto* i = dyn_cast<Instruction>(v);
    return i != nullptr && i->getDebugLoc() && i->getDebugLoc().getLine() != 0;
  };
  if (has_line(touch.at)) return touch.at->getDebugLoc();
  for (const User* user : touch.at->users())
    if (has_line(user)) return cast<Instruction>(user)->getDebugLoc();
  for (const Use& operand : touch.at->operands())
    if (has_line(operand.get())) return cast<Instruction>(operand.get())->getDebugLoc();
  return touch.at->getDebugLoc();
}

// It can neither order accesses nor leave the loop.
bool is_harmless(const Instruction& i) {
  if (i.isAtomic() || is_volatile(i)) return false;
  const auto* call = dyn_cast<CallBase>(&i);
  if (call == nullptr) return true;
  if (call->isInlineAsm() || !isa<CallInst>(call) || !call->doesNotThrow()) return false;
  if (isa<IntrinsicInst>(call)) return call->willReturn();
  // Functions of mathematics write nothing but errno.
  return call->willReturn() && (call->onlyReadsMemory() || call->onlyAccessesInaccessibleMemory() ||
                                call->doesNotAccessMemory());
}

struct Callbacks {
  explicit Callbacks(Module& module)
      : pointer(PointerType::getUnqual(module.getContext())),
        word(IntegerType::get(module.getContext(), 64)),
        number(IntegerType::get(module.getContext(), 32)) {
    Type* none = Type::getVoidTy(module.getContext());
    const auto quiet = AttributeList().addFnAttribute(module.getContext(), Attribute::NoUnwind);
    for (unsigned k = 0; k < 5; ++k) {
      const std::string bytes = std::to_string(1U << k);
      read[k] = module.getOrInsertFunction("__tsan_read" + bytes, quiet, none, pointer);
      write[k] = module.getOrInsertFunction("__tsan_write" + bytes, quiet, none, pointer);
    }
    read_range = module.getOrInsertFunction("__tsan_read_range", quiet, none, pointer, word);
    write_range = module.getOrInsertFunction("__tsan_write_range", quiet, none, pointer, word);
    pattern = module.getOrInsertFunction("vouch_access_pattern", quiet, none, pointer, word, word,
                                         word, word, number);
    atomic = module.getOrInsertFunction("vouch_access_atomic", quiet, none, pointer, word, number);
  }
  PointerType* pointer;
  IntegerType *word, *number;
  FunctionCallee read[5], write[5], read_range, write_range, pattern, atomic;
};

// What is said before a loop: an element, and how often it is repeated at which distances.
struct Pattern {
  const SCEV *address, *step, *count, *stride, *rows;
  Loop* loop;  // before this one
};

class Loops {
 public:
  Loops(LoopInfo& info, DominatorTree& dominators, ScalarEvolution& scev)
      : info_(info), dominators_(dominators), scev_(scev) {}

  std::optional<Pattern> pattern_of(const Touch& touch) {
    Loop* loop = info_.getLoopFor(touch.at->getParent());
    if (loop == nullptr || !scev_.isSCEVable(touch.address->getType())) return std::nullopt;
    Type* word = scev_.getEffectiveSCEVType(touch.address->getType());
    const SCEV* zero = scev_.getZero(word);
    const SCEV* one = scev_.getOne(word);
    Pattern p{scev_.getSCEV(touch.address), zero, one, zero, one, nullptr};
    BasicBlock* block = touch.at->getParent();
    for (unsigned depth = 0; loop != nullptr && depth < kMostUnrolled; ++depth) {
      const SCEV* times = times_of(*loop, block, word);
      if (times == nullptr) break;
      const SCEV *base = p.address, *step = zero;
      if (!scev_.isLoopInvariant(base, loop)) {
        const auto* moving = dyn_cast<SCEVAddRecExpr>(base);
        if (moving == nullptr || moving->getLoop() != loop || !moving->isAffine()) break;
        base = moving->getStart();
        step = moving->getStepRecurrence(scev_);
        if (!scev_.isLoopInvariant(base, loop) || !scev_.isLoopInvariant(step, loop)) break;
      }
      if (!scev_.isLoopInvariant(p.step, loop) || !scev_.isLoopInvariant(p.count, loop)) break;
      p.address = base;
      (depth == 0 ? p.step : p.stride) = scev_.getTruncateOrSignExtend(step, word);
      (depth == 0 ? p.count : p.rows) = times;
      p.loop = loop;
      block = loop->getHeader();
      loop = loop->getParentLoop();
    }
    if (p.loop == nullptr) return std::nullopt;
    return p;
  }

 private:
  // How often the loop executes this block each time it is entered; nullptr: it cannot be said, or
  // something in it matters.
  const SCEV* times_of(Loop& loop, BasicBlock* block, Type* word) {
    const auto [known, is_new] = latches_.try_emplace(&loop, nullptr);
    if (is_new) latches_[&loop] = latches_of(loop);
    const SCEV* latches = latches_[&loop];
    if (latches == nullptr) return nullptr;
    latches = scev_.getTruncateOrZeroExtend(latches, word);
    BasicBlock* exiting = loop.getExitingBlock();
    if (dominators_.dominates(block, exiting)) return scev_.getAddExpr(latches, scev_.getOne(word));
    return dominators_.dominates(block, loop.getLoopLatch()) ? latches : nullptr;
  }
  const SCEV* latches_of(Loop& loop) {
    BasicBlock* exiting = loop.getExitingBlock();
    if (exiting == nullptr || loop.getLoopLatch() == nullptr ||
        loop.getLoopPreheader() == nullptr || !dominators_.dominates(exiting, loop.getLoopLatch()))
      return nullptr;
    for (BasicBlock* block : loop.blocks())
      for (Instruction& i : *block)
        if (!is_harmless(i)) return nullptr;
    const SCEV* latches = scev_.getBackedgeTakenCount(&loop);
    return isa<SCEVCouldNotCompute>(latches) ? nullptr : latches;
  }

  LoopInfo& info_;
  DominatorTree& dominators_;
  ScalarEvolution& scev_;
  DenseMap<Loop*, const SCEV*> latches_;
};

class Instrument {
 public:
  Instrument(Function& f, FunctionAnalysisManager& analyses)
      : function_(f),
        layout_(f.getDataLayout()),
        say_(*f.getParent()),
        scev_(analyses.getResult<ScalarEvolutionAnalysis>(f)),
        loops_(analyses.getResult<LoopAnalysis>(f), analyses.getResult<DominatorTreeAnalysis>(f),
               scev_) {}

  bool run(Counts& counts) {
    struct Found {
      Touch touch;
      std::optional<Pattern> pattern;
    };
    SmallVector<Found, 32> found;
    SmallVector<Instruction*, 8> others;
    for (BasicBlock& block : function_) {
      for (Instruction& i : block) {
        if (i.hasMetadata(LLVMContext::MD_nosanitize)) continue;
        const std::optional<Touch> touch = touch_of(i);
        if (!touch) {
          if (i.isAtomic() || isa<MemIntrinsic>(i)) others.push_back(&i);
          continue;
        }
        if (touch->address->isSwiftError() ||
            touch->address->getType()->getPointerAddressSpace() != 0 ||
            layout_.getTypeStoreSize(touch->type).isScalable())
          continue;
        ++counts.all;
        if (private_(touch->address)) {
          ++counts.left_out;
          continue;
        }
        found.push_back({*touch, is_volatile(i) ? std::nullopt : loops_.pattern_of(*touch)});
      }
    }
    SCEVExpander expander(scev_, layout_, "vouch");
    bool changed = false;
    for (const Found& f : found) {
      changed = true;
      if (f.pattern && say_before(f.touch, *f.pattern, expander))
        ++counts.before_loops;
      else
        call_back(f.touch);
    }
    for (Instruction* i : others) changed = other(*i, counts) || changed;
    return changed;
  }

 private:
  unsigned bytes_of(Type* type) const { return layout_.getTypeStoreSize(type).getFixedValue(); }

  bool say_before(const Touch& touch, const Pattern& p, SCEVExpander& expander) {
    const unsigned bytes = bytes_of(touch.type);
    if (bytes > kMostBytes) return false;
    Instruction* before = p.loop->getLoopPreheader()->getTerminator();
    for (const SCEV* part : {p.address, p.step, p.count, p.stride, p.rows})
      if (!expander.isSafeToExpandAt(part, before)) return false;
    Value* address = expander.expandCodeFor(p.address, say_.pointer, before);
    Value* words[] = {address,
                      expander.expandCodeFor(p.step, say_.word, before),
                      expander.expandCodeFor(p.count, say_.word, before),
                      expander.expandCodeFor(p.stride, say_.word, before),
                      expander.expandCodeFor(p.rows, say_.word, before),
                      ConstantInt::get(say_.number, bytes | (touch.writes ? kWrites : 0))};
    IRBuilder<> builder(before);
    builder.SetCurrentDebugLocation(line_of(touch));
    builder.CreateCall(say_.pattern, words);
    return true;
  }

  void call_back(const Touch& touch) {
    IRBuilder<> builder(touch.at);
    builder.SetCurrentDebugLocation(line_of(touch));
    const unsigned bytes = bytes_of(touch.type);
    if (isPowerOf2_32(bytes) && bytes <= 16) {
      builder.CreateCall((touch.writes ? say_.write : say_.read)[Log2_32(bytes)], touch.address);
      return;
    }
    builder.CreateCall(touch.writes ? say_.write_range : say_.read_range,
                       {touch.address, ConstantInt::get(say_.word, bytes)});
  }

  // Copies, and what orders.
  bool other(Instruction& i, Counts& counts) {
    IRBuilder<> builder(&i);
    if (auto* copy = dyn_cast<MemIntrinsic>(&i)) {
      Value* length = builder.CreateZExtOrTrunc(copy->getLength(), say_.word);
      const auto range = [&](FunctionCallee callback, Value* address) {
        ++counts.all;
        if (private_(address)) {
          ++counts.left_out;
          return;
        }
        builder.CreateCall(callback, {address, length});
      };
      if (auto* transfer = dyn_cast<MemTransferInst>(copy))
        range(say_.read_range, transfer->getRawSource());
      range(say_.write_range, copy->getRawDest());
      return true;
    }
    enum Kind : unsigned { load = 2, store = 3, update = 4 };  // wire::AccessKind
    Value* address = nullptr;
    Type* type = nullptr;
    Kind kind = update;
    if (auto* l = dyn_cast<LoadInst>(&i)) {
      address = l->getPointerOperand();
      type = l->getType();
      kind = load;
      builder.SetInsertPoint(l->getNextNode());
    } else if (auto* s = dyn_cast<StoreInst>(&i)) {
      address = s->getPointerOperand();
      type = s->getValueOperand()->getType();
      kind = store;
    } else if (auto* u = dyn_cast<AtomicRMWInst>(&i)) {
      address = u->getPointerOperand();
      type = u->getValOperand()->getType();
    } else if (auto* c = dyn_cast<AtomicCmpXchgInst>(&i)) {
      address = c->getPointerOperand();
      type = c->getNewValOperand()->getType();
    }
    if (address == nullptr) return false;  // a fence
    ++counts.all;
    if (private_(address)) {
      ++counts.left_out;
      return false;
    }
    builder.SetCurrentDebugLocation(i.getDebugLoc());
    builder.CreateCall(say_.atomic, {address, ConstantInt::get(say_.word, bytes_of(type)),
                                     ConstantInt::get(say_.number, kind)});
    return true;
  }

  Function& function_;
  const DataLayout& layout_;
  Callbacks say_;
  ScalarEvolution& scev_;
  Loops loops_;
  Private private_;
};

Counts counts;

// Before anything is optimised: nothing may be loaded that the program does not load.
struct MarkPass : PassInfoMixin<MarkPass> {
  PreservedAnalyses run(Module& module, ModuleAnalysisManager&) {
    for (Function& f : module)
      if (!f.isDeclaration() && !f.hasFnAttribute(Attribute::Naked) &&
          !f.hasFnAttribute(Attribute::DisableSanitizerInstrumentation))
        f.addFnAttr(Attribute::SanitizeThread);
    getOrCreateSanitizerCtorAndInitFunctions(module, "tsan.module_ctor", "__tsan_init", {}, {},
                                             [&](Function* constructor, FunctionCallee) {
                                               appendToGlobalCtors(module, constructor, 0);
                                             });
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

struct AccessPass : PassInfoMixin<AccessPass> {
  PreservedAnalyses run(Function& f, FunctionAnalysisManager& analyses) {
    if (!f.hasFnAttribute(Attribute::SanitizeThread)) return PreservedAnalyses::all();
    const bool changed = Instrument(f, analyses).run(counts);
    f.removeFnAttr(Attribute::SanitizeThread);
    return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

struct CountPass : PassInfoMixin<CountPass> {
  PreservedAnalyses run(Module& module, ModuleAnalysisManager&) {
    if (std::getenv("VOUCH_COUNTS") != nullptr)
      errs() << "vouch: " << module.getSourceFileName() << ": " << counts.all
             << " loads and stores; " << counts.left_out
             << " are left out, which touch no memory that MPI knows of; " << counts.before_loops
             << " are told before their loops\n";
    return PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

void add_passes(PassBuilder& builder) {
  builder.registerPipelineStartEPCallback(
      [](ModulePassManager& passes, OptimizationLevel) { passes.addPass(MarkPass()); });
  builder.registerVectorizerStartEPCallback([](FunctionPassManager& passes, OptimizationLevel) {
    passes.addPass(LoopSimplifyPass());  // a block before each loop, where to say it
    passes.addPass(AccessPass());
  });
  builder.registerOptimizerLastEPCallback([](ModulePassManager& passes, OptimizationLevel) {
    passes.addPass(createModuleToFunctionPassAdaptor(AccessPass()));
    passes.addPass(CountPass());
  });
}

}  // namespace

extern "C" LLVM_ATTRIBUTE_WEAK LLVM_ATTRIBUTE_VISIBILITY_DEFAULT PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "vouch", "1", add_passes};
}
