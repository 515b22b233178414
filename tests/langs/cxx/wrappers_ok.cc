// Wrappers as C++ libraries over MPI have them: an environment, communicators that are counted,
// requests that are moved and wait in their destructor, types from templates, strings of any length.
// vouch: run -n 3
// expect: clean
#include <mpi.h>

#include <array>
#include <complex>
#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace mp {

struct Environment {
  explicit Environment(int level = MPI_THREAD_SINGLE) {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, level, &provided);
  }
  ~Environment() {
    if (std::uncaught_exceptions() > 0) MPI_Abort(MPI_COMM_WORLD, 1);
    int done = 0;
    MPI_Finalized(&done);
    if (!done) MPI_Finalize();
  }
};

template <typename T>
MPI_Datatype type_of();
template <>
MPI_Datatype type_of<int>() { return MPI_INT; }
template <>
MPI_Datatype type_of<char>() { return MPI_CHAR; }
template <>
MPI_Datatype type_of<double>() { return MPI_DOUBLE; }

class Type {
 public:
  explicit Type(MPI_Datatype t) : type_(t) { MPI_Type_commit(&type_); }
  ~Type() { MPI_Type_free(&type_); }
  Type(const Type&) = delete;
  operator MPI_Datatype() const { return type_; }

 private:
  MPI_Datatype type_;
};

class Request {
 public:
  Request() = default;
  explicit Request(MPI_Request r) : request_(r) {}
  Request(Request&& other) noexcept : request_(std::exchange(other.request_, MPI_REQUEST_NULL)) {}
  Request& operator=(Request&& other) noexcept {
    std::swap(request_, other.request_);
    return *this;
  }
  ~Request() { wait(); }
  void wait() { MPI_Wait(&request_, MPI_STATUS_IGNORE); }

 private:
  MPI_Request request_ = MPI_REQUEST_NULL;
};

class Communicator {
 public:
  Communicator() : comm_(std::make_shared<MPI_Comm>(MPI_COMM_WORLD)) {}
  Communicator(const Communicator& other, int colour)
      : comm_(new MPI_Comm(MPI_COMM_NULL), [](MPI_Comm* c) {
          if (*c != MPI_COMM_NULL) MPI_Comm_free(c);
          delete c;
        }) {
    MPI_Comm_split(other, colour, 0, comm_.get());
  }
  operator MPI_Comm() const { return *comm_; }
  int rank() const { return ask(MPI_Comm_rank); }
  int size() const { return ask(MPI_Comm_size); }

  template <typename T>
  void send(const std::vector<T>& data, int to, int tag) const {
    MPI_Send(data.data(), static_cast<int>(data.size()), type_of<T>(), to, tag, *comm_);
  }
  template <typename T>
  std::vector<T> receive(int from, int tag) const {
    MPI_Status status;
    MPI_Message message;
    int count = 0;
    MPI_Mprobe(from, tag, *comm_, &message, &status);
    MPI_Get_count(&status, type_of<T>(), &count);
    std::vector<T> data(static_cast<std::size_t>(count));
    MPI_Mrecv(data.data(), count, type_of<T>(), &message, &status);
    return data;
  }
  template <typename T>
  Request start_send(const T& value, int to, int tag) const {
    MPI_Request r;
    MPI_Isend(&value, 1, type_of<T>(), to, tag, *comm_, &r);
    return Request(r);
  }
  template <typename T>
  Request start_receive(T& value, int from, int tag) const {
    MPI_Request r;
    MPI_Irecv(&value, 1, type_of<T>(), from, tag, *comm_, &r);
    return Request(r);
  }

 private:
  int ask(int (*question)(MPI_Comm, int*)) const {
    int answer = 0;
    question(*comm_, &answer);
    return answer;
  }
  std::shared_ptr<MPI_Comm> comm_;
};

template <typename T, typename Function>
T all_reduce(const Communicator& comm, T value, Function) {
  MPI_Op op;
  MPI_Op_create(
      [](void* in, void* inout, int* length, MPI_Datatype*) {
        for (int i = 0; i < *length; ++i)
          static_cast<T*>(inout)[i] = Function()(static_cast<T*>(in)[i], static_cast<T*>(inout)[i]);
      },
      1, &op);
  T result{};
  MPI_Allreduce(&value, &result, 1, type_of<T>(), op, comm);
  MPI_Op_free(&op);
  return result;
}

void check(bool good) {
  if (!good) throw std::runtime_error("wrong");
}

}  // namespace mp

struct Particle {
  std::array<double, 3> at;
  int id;
};

int main() {
  mp::Environment environment;
  mp::Communicator world;
  const int rank = world.rank(), size = world.size();
  const int right = (rank + 1) % size, left = (rank + size - 1) % size;

  const std::string text(static_cast<std::size_t>(10 + rank), 'x');
  if (rank == 0) {
    for (int from = 1; from < size; ++from)
      mp::check(world.receive<char>(from, 1).size() == static_cast<std::size_t>(10 + from));
  } else {
    world.send(std::vector<char>(text.begin(), text.end()), 0, 1);
  }

  double mine = rank, theirs = -1;
  {
    std::vector<mp::Request> requests;
    requests.push_back(world.start_receive(theirs, left, 2));
    requests.push_back(world.start_send(mine, right, 2));
  }
  mp::check(theirs == left);

  mp::check(mp::all_reduce(world, rank + 1, std::multiplies<int>()) == 6);

  {
    mp::Communicator half(world, rank % 2);
    mp::Communicator same = half;
    mp::check(mp::all_reduce(same, 1, std::plus<int>()) == half.size());
  }

  MPI_Datatype raw;
  const int lengths[] = {3, 1};
  const MPI_Aint places[] = {offsetof(Particle, at), offsetof(Particle, id)};
  const MPI_Datatype types[] = {MPI_DOUBLE, MPI_INT};
  MPI_Type_create_struct(2, lengths, places, types, &raw);
  MPI_Datatype sized;
  MPI_Type_create_resized(raw, 0, sizeof(Particle), &sized);
  MPI_Type_free(&raw);
  const mp::Type particle(sized);
  std::vector<Particle> swarm(4, Particle{{1, 2, 3}, rank}), got(4);
  MPI_Sendrecv(swarm.data(), 4, particle, right, 3, got.data(), 4, particle, left, 3, world,
               MPI_STATUS_IGNORE);
  mp::check(got[3].id == left && got[3].at[2] == 3);
}
