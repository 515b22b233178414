// C++ objects behind MPI's callbacks: attributes that own memory, an error handler, a generalized
// request completed by the program.
// vouch: run -n 2
// expect: clean
#include <mpi.h>

#include <string>

int errors = 0;
void count(MPI_Comm*, int*, ...) { ++errors; }

int main() {
  MPI_Init(nullptr, nullptr);
  int keyval = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(
      [](MPI_Comm, int, void*, void* in, void* out, int* flag) {
        *static_cast<void**>(out) = new std::string(*static_cast<std::string*>(in) + "+");
        *flag = 1;
        return MPI_SUCCESS;
      },
      [](MPI_Comm, int, void* value, void*) {
        delete static_cast<std::string*>(value);
        return MPI_SUCCESS;
      },
      &keyval, nullptr);
  MPI_Comm first, second;
  MPI_Comm_dup(MPI_COMM_WORLD, &first);
  MPI_Comm_set_attr(first, keyval, new std::string("name"));
  MPI_Comm_dup(first, &second);
  std::string* found = nullptr;
  int flag = 0;
  MPI_Comm_get_attr(second, keyval, &found, &flag);
  const bool good = flag != 0 && *found == "name+";
  MPI_Comm_free(&second);
  MPI_Comm_free(&first);
  MPI_Comm_free_keyval(&keyval);

  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(count, &handler);
  MPI_Comm_dup(MPI_COMM_WORLD, &first);
  MPI_Comm_set_errhandler(first, handler);
  MPI_Errhandler_free(&handler);
  MPI_Comm_call_errhandler(first, MPI_ERR_OTHER);
  MPI_Comm_free(&first);

  MPI_Request request;
  MPI_Grequest_start(
      [](void*, MPI_Status* status) {
        MPI_Status_set_elements(status, MPI_INT, 0);
        MPI_Status_set_cancelled(status, 0);
        return MPI_SUCCESS;
      },
      [](void* state) {
        delete static_cast<int*>(state);
        return MPI_SUCCESS;
      },
      [](void*, int) { return MPI_SUCCESS; }, new int(1), &request);
  MPI_Grequest_complete(request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return good && errors == 1 ? 0 : 1;
}
