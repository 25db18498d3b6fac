// Bitwuzla for `sys.rs`: functions of C, from which no exception gets out.
//
// A function that fails returns null or a negative number and leaves its reason in `text`, where functions with a text
// as their result leave it too. Rust reads it at once, on the same thread. Handles that are returned belong to the caller.
//
// Bitwuzla checks almost everything that it is told to do and throws; what it forgets is checked here.

#include <bitwuzla/cpp/bitwuzla.h>

#include <chrono>
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

using bitwuzla::Kind;
using bitwuzla::Option;
using bitwuzla::Sort;
using bitwuzla::Term;
using bitwuzla::TermManager;

namespace {

constexpr int64_t MISUSE  = -1;
constexpr int64_t FAILURE = -2;

// Wider ones exhaust memory long before they are solved. `lib.rs` has the same number.
constexpr uint64_t MAX_WIDTH = 1 << 20;

// The kinds of terms, in the order of `Kind` in `term.rs`.
constexpr Kind KINDS[] = {
    Kind::NOT,
    Kind::AND,
    Kind::OR,
    Kind::XOR,
    Kind::IMPLIES,
    Kind::EQUAL,
    Kind::DISTINCT,
    Kind::ITE,
    Kind::APPLY,
    Kind::ARRAY_SELECT,
    Kind::ARRAY_STORE,
    Kind::BV_NOT,
    Kind::BV_AND,
    Kind::BV_OR,
    Kind::BV_XOR,
    Kind::BV_NEG,
    Kind::BV_ADD,
    Kind::BV_SUB,
    Kind::BV_MUL,
    Kind::BV_UDIV,
    Kind::BV_UREM,
    Kind::BV_SDIV,
    Kind::BV_SREM,
    Kind::BV_SMOD,
    Kind::BV_SHL,
    Kind::BV_SHR,
    Kind::BV_ASHR,
    Kind::BV_ULT,
    Kind::BV_ULE,
    Kind::BV_UGT,
    Kind::BV_UGE,
    Kind::BV_SLT,
    Kind::BV_SLE,
    Kind::BV_SGT,
    Kind::BV_SGE,
    Kind::BV_COMP,
    Kind::BV_REDAND,
    Kind::BV_REDOR,
    Kind::BV_REDXOR,
    Kind::BV_NEG_OVERFLOW,
    Kind::BV_UADD_OVERFLOW,
    Kind::BV_SADD_OVERFLOW,
    Kind::BV_USUB_OVERFLOW,
    Kind::BV_SSUB_OVERFLOW,
    Kind::BV_UMUL_OVERFLOW,
    Kind::BV_SMUL_OVERFLOW,
    Kind::BV_SDIV_OVERFLOW,
    Kind::BV_CONCAT,
    Kind::BV_EXTRACT,
    Kind::BV_ZERO_EXTEND,
    Kind::BV_SIGN_EXTEND,
    Kind::FP_FP,
    Kind::FP_ABS,
    Kind::FP_NEG,
    Kind::FP_ADD,
    Kind::FP_SUB,
    Kind::FP_MUL,
    Kind::FP_DIV,
    Kind::FP_FMA,
    Kind::FP_SQRT,
    Kind::FP_REM,
    Kind::FP_RTI,
    Kind::FP_MIN,
    Kind::FP_MAX,
    Kind::FP_EQUAL,
    Kind::FP_LT,
    Kind::FP_LEQ,
    Kind::FP_GT,
    Kind::FP_GEQ,
    Kind::FP_IS_NAN,
    Kind::FP_IS_INF,
    Kind::FP_IS_ZERO,
    Kind::FP_IS_NORMAL,
    Kind::FP_IS_SUBNORMAL,
    Kind::FP_IS_NEG,
    Kind::FP_IS_POS,
    Kind::FP_TO_FP_FROM_BV,
    Kind::FP_TO_FP_FROM_FP,
    Kind::FP_TO_FP_FROM_SBV,
    Kind::FP_TO_FP_FROM_UBV,
    Kind::FP_TO_SBV,
    Kind::FP_TO_UBV,
};

// Ends a search: at a moment, when somebody sets a flag, or after so many times that the search has asked whether to end.
// It asks between steps of its own, so that number is the same on every machine.
class Limits : public bitwuzla::Terminator
{
 public:
  using Clock = std::chrono::steady_clock;

  bool terminate() override
  {
    if (counted && steps-- == 0)
    {
      steps = 0;
      return true;
    }
    return (flag != nullptr && __atomic_load_n(flag, __ATOMIC_RELAXED) != 0)
           || (timed && Clock::now() >= deadline);
  }

  const uint8_t *flag = nullptr;
  bool timed          = false;
  bool counted        = false;
  uint64_t steps      = 0;
  Clock::time_point deadline;
};

struct Solver
{
  Solver(TermManager &manager, const bitwuzla::Options &options)
      : bitwuzla(manager, options)
  {
    bitwuzla.configure_terminator(&limits);
  }

  Limits limits;  // outlives the solver that points to it
  bitwuzla::Bitwuzla bitwuzla;
};

thread_local std::string text;

void
require(bool condition, const char *message)
{
  if (!condition) throw bitwuzla::Exception(message);
}

// Runs a function that returns a number; a negative one tells what went wrong.
template <class F>
int64_t
guard(F function) noexcept
{
  try
  {
    return function();
  }
  catch (const bitwuzla::Exception &exception)
  {
    text = exception.msg();
    return MISUSE;
  }
  catch (const std::exception &exception)
  {
    text = exception.what();
    return FAILURE;
  }
  catch (...)
  {
    text = "unknown exception";
    return FAILURE;
  }
}

// The same for a function whose result goes to the heap.
template <class T, class F>
T *
make(F function) noexcept
{
  T *result = nullptr;
  guard([&]() {
    result = new T(function());
    return 0;
  });
  return result;
}

std::vector<Term>
copy(const Term *const *terms, size_t count)
{
  std::vector<Term> result;
  result.reserve(count);
  for (size_t i = 0; i < count; ++i) result.push_back(*terms[i]);
  return result;
}

bool
is_plain(const Sort &sort)
{
  return !sort.is_array() && !sort.is_fun();
}

void
check_width(uint64_t width)
{
  require(width > 0, "a bit-vector has at least one bit");
  require(width <= MAX_WIDTH, "the bit-vector is too wide");
}

void
check_format(uint64_t exponent, uint64_t significand)
{
  require((exponent == 5 && significand == 11)
              || (exponent == 8 && significand == 24)
              || (exponent == 11 && significand == 53)
              || (exponent == 15 && significand == 113),
          "the format is none of 16, 32, 64 and 128 bits of IEEE 754");
}

// What `TermManager::mk_term` does not check.
void
check_term(Kind kind,
           const std::vector<Term> &args,
           const std::vector<uint64_t> &indices)
{
  for (size_t i = kind == Kind::APPLY; i < args.size(); ++i)
  {
    require(!args[i].sort().is_fun(), "a function can only be applied");
  }
  switch (kind)
  {
    case Kind::BV_COMP:
      require(args.size() == 2, "bvcomp has two arguments");
      break;
    case Kind::BV_CONCAT: {
      uint64_t width = 0;
      for (const Term &arg : args)
      {
        require(arg.sort().is_bv(), "concat joins bit-vectors");
        width += arg.sort().bv_size();
        check_width(width);
      }
      break;
    }
    case Kind::BV_ZERO_EXTEND:
    case Kind::BV_SIGN_EXTEND:
      require(args.size() == 1 && indices.size() == 1 && args[0].sort().is_bv(),
              "a bit-vector is extended by a number of bits");
      require(indices[0] <= MAX_WIDTH, "the bit-vector is too wide");
      check_width(indices[0] + args[0].sort().bv_size());
      break;
    case Kind::FP_TO_SBV:
    case Kind::FP_TO_UBV:
      require(indices.size() == 1, "the width of the bit-vector is missing");
      check_width(indices[0]);
      break;
    case Kind::FP_TO_FP_FROM_BV:
    case Kind::FP_TO_FP_FROM_FP:
    case Kind::FP_TO_FP_FROM_SBV:
    case Kind::FP_TO_FP_FROM_UBV:
      require(indices.size() == 2, "the format of the float is missing");
      check_format(indices[0], indices[1]);
      break;
    default: break;
  }
}

// The bits of a value, the most significant first; a float's are those of IEEE 754.
std::string
bits(const Term &value)
{
  require(value.is_value(), "the term has no value");
  if (value.sort().is_bool()) return value.value<bool>() ? "1" : "0";
  return value.value<std::string>(2);
}

}  // namespace

extern "C" {

const char *
shim_text(size_t *length)
{
  *length = text.size();
  return text.data();
}

TermManager *
shim_manager_new()
{
  TermManager *manager = nullptr;
  guard([&]() {
    manager = new TermManager();
    return 0;
  });
  return manager;
}

void
shim_manager_delete(TermManager *manager)
{
  delete manager;
}

void
shim_sort_delete(Sort *sort)
{
  delete sort;
}

Sort *
shim_sort_bool(TermManager *manager)
{
  return make<Sort>([&]() { return manager->mk_bool_sort(); });
}

Sort *
shim_sort_bv(TermManager *manager, uint32_t width)
{
  return make<Sort>([&]() {
    check_width(width);
    return manager->mk_bv_sort(width);
  });
}

Sort *
shim_sort_fp(TermManager *manager, uint32_t exponent, uint32_t significand)
{
  return make<Sort>([&]() {
    check_format(exponent, significand);
    return manager->mk_fp_sort(exponent, significand);
  });
}

Sort *
shim_sort_rm(TermManager *manager)
{
  return make<Sort>([&]() { return manager->mk_rm_sort(); });
}

Sort *
shim_sort_array(TermManager *manager, const Sort *index, const Sort *element)
{
  return make<Sort>([&]() {
    require(index->is_bv(), "an array is indexed by a bit-vector");
    require(!element->is_fun(), "an array has no functions");
    return manager->mk_array_sort(*index, *element);
  });
}

Sort *
shim_sort_fun(TermManager *manager,
              const Sort *const *domain,
              size_t arity,
              const Sort *codomain)
{
  return make<Sort>([&]() {
    std::vector<Sort> sorts;
    for (size_t i = 0; i < arity; ++i)
    {
      require(is_plain(*domain[i]), "a function takes no arrays or functions");
      sorts.push_back(*domain[i]);
    }
    require(is_plain(*codomain), "a function gives no array or function");
    return manager->mk_fun_sort(sorts, *codomain);
  });
}

Term *
shim_symbol(TermManager *manager,
            const Sort *sort,
            const char *name,
            size_t length)
{
  return make<Term>(
      [&]() { return manager->mk_const(*sort, std::string(name, length)); });
}

Term *
shim_bool(TermManager *manager, bool value)
{
  return make<Term>(
      [&]() { return value ? manager->mk_true() : manager->mk_false(); });
}

Term *
shim_bv(TermManager *manager, uint32_t width, uint64_t value)
{
  return make<Term>([&]() {
    check_width(width);
    return manager->mk_bv_value_uint64(manager->mk_bv_sort(width), value);
  });
}

Term *
shim_bv_wide(TermManager *manager,
             uint32_t width,
             const char *digits,
             size_t length)
{
  return make<Term>([&]() {
    check_width(width);
    return manager->mk_bv_value(
        manager->mk_bv_sort(width), std::string(digits, length), 2);
  });
}

Term *
shim_rm(TermManager *manager, uint32_t mode)
{
  return make<Term>([&]() {
    require(mode < 5, "no such rounding mode");
    return manager->mk_rm_value(static_cast<bitwuzla::RoundingMode>(mode));
  });
}

Term *
shim_const_array(TermManager *manager, const Sort *sort, const Term *element)
{
  return make<Term>([&]() { return manager->mk_const_array(*sort, *element); });
}

Term *
shim_term(TermManager *manager,
          uint32_t kind,
          const Term *const *args,
          size_t args_count,
          const uint64_t *indices,
          size_t indices_count)
{
  return make<Term>([&]() {
    require(kind < std::size(KINDS), "no such kind of term");
    const std::vector<Term> terms = copy(args, args_count);
    const std::vector<uint64_t> numbers(indices, indices + indices_count);
    check_term(KINDS[kind], terms, numbers);
    return manager->mk_term(KINDS[kind], terms, numbers);
  });
}

void
shim_term_delete(Term *term)
{
  delete term;
}

uint64_t
shim_term_id(const Term *term)
{
  return term->id();
}

int64_t
shim_term_text(const Term *term)
{
  return guard([&]() {
    text = term->str();
    return 0;
  });
}

Solver *
shim_solver_new(TermManager *manager, bool models, bool simplify)
{
  Solver *solver = nullptr;
  guard([&]() {
    bitwuzla::Options options;
    options.set(Option::PRODUCE_MODELS, models);
    // On some sums and products this pass takes time without end, and it looks at no limit.
    options.set(Option::PP_NORMALIZE, false);
    if (!simplify)
    {
      options.set(Option::PREPROCESS, false);
      options.set(Option::REWRITE_LEVEL, static_cast<uint64_t>(0));
    }
    solver = new Solver(*manager, options);
    return 0;
  });
  return solver;
}

void
shim_solver_delete(Solver *solver)
{
  delete solver;
}

int64_t
shim_solver_push(Solver *solver)
{
  return guard([&]() {
    solver->bitwuzla.push(1);
    return 0;
  });
}

int64_t
shim_solver_pop(Solver *solver)
{
  return guard([&]() {
    solver->bitwuzla.pop(1);
    return 0;
  });
}

int64_t
shim_solver_assert(Solver *solver, const Term *term)
{
  return guard([&]() {
    solver->bitwuzla.assert_formula(*term);
    return 0;
  });
}

// The result is one of `bitwuzla::Result`. `stop` is null or a flag that ends the search.
int64_t
shim_solver_check(Solver *solver,
                  const Term *const *assumptions,
                  size_t count,
                  bool timed,
                  uint64_t nanoseconds,
                  bool counted,
                  uint64_t steps,
                  const uint8_t *stop)
{
  std::vector<Term> terms;
  const int64_t checked = guard([&]() {
    terms = copy(assumptions, count);
    for (const Term &term : terms)
    {
      require(term.sort().is_bool(), "an assumption is a Boolean term");
    }
    return 0;
  });
  if (checked < 0) return checked;

  Limits &limits  = solver->limits;
  limits.flag     = stop;
  limits.timed    = timed;
  limits.counted  = counted;
  limits.steps    = steps;
  limits.deadline = Limits::Clock::now() + std::chrono::nanoseconds(nanoseconds);
  const int64_t result = guard([&]() {
    return static_cast<int64_t>(solver->bitwuzla.check_sat(terms));
  });
  limits.flag = nullptr;
  return result < 0 ? FAILURE : result;
}

// The text is the value's bits, the most significant first.
int64_t
shim_solver_value(Solver *solver, const Term *term)
{
  const int64_t checked = guard([&]() {
    const Sort sort = term->sort();
    require(is_plain(sort) && !sort.is_rm(), "the term is not a number");
    return 0;
  });
  if (checked < 0) return checked;
  const int64_t result = guard([&]() {
    text = bits(solver->bitwuzla.get_value(*term));
    return 0;
  });
  return result < 0 ? FAILURE : result;
}

}  // extern "C"
