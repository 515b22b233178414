// Groups, communicators, info objects, error codes: questions with known answers.
// vouch: run -n 3
// expect: clean
#include <mpi.h>
#include <string.h>

#define CHECK(holds) \
  if (!(holds)) MPI_Abort(MPI_COMM_WORLD, __LINE__)

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, answer, other;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Group world, low, high, both, rest;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  const int first[] = {0, 1}, last[] = {1, 2};
  MPI_Group_incl(world, 2, first, &low);
  MPI_Group_incl(world, 2, last, &high);
  MPI_Group_intersection(low, high, &both);
  MPI_Group_difference(low, high, &rest);
  MPI_Group_size(both, &answer);
  CHECK(answer == 1);
  MPI_Group_rank(rest, &answer);
  CHECK(answer == (rank == 0 ? 0 : MPI_UNDEFINED));
  MPI_Group_compare(low, high, &answer);
  CHECK(answer == MPI_UNEQUAL);
  MPI_Group* groups[] = {&world, &low, &high, &both, &rest};
  for (int i = 0; i < 5; ++i) MPI_Group_free(groups[i]);

  MPI_Comm copy, half, bridge;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  MPI_Comm_compare(MPI_COMM_WORLD, copy, &answer);
  CHECK(answer == MPI_CONGRUENT);
  char name[MPI_MAX_OBJECT_NAME], text[MPI_MAX_PROCESSOR_NAME];
  MPI_Comm_set_name(copy, "copy");
  MPI_Comm_get_name(copy, name, &answer);
  CHECK(strcmp(name, "copy") == 0 && answer == 4);
  MPI_Get_processor_name(text, &answer);
  CHECK((int)strlen(text) == answer);
  MPI_Info info, twin;
  MPI_Info_create(&info);
  MPI_Info_set(info, "first", "1");
  MPI_Info_set(info, "second", "22");
  MPI_Info_dup(info, &twin);
  MPI_Info_delete(twin, "first");
  MPI_Info_get_nkeys(twin, &answer);
  CHECK(answer == 1);
  char key[MPI_MAX_INFO_KEY + 1];
  MPI_Info_get_nthkey(twin, 0, key);
  CHECK(strcmp(key, "second") == 0);
  MPI_Info_get_valuelen(twin, "second", &answer, &other);
  CHECK(other && answer == 2);
  MPI_Comm_set_info(copy, info);
  MPI_Info_free(&info);
  MPI_Info_free(&twin);
  MPI_Comm_get_info(copy, &info);
  MPI_Info_free(&info);

  MPI_Comm_split(MPI_COMM_WORLD, rank == 0, 0, &half);
  MPI_Intercomm_create(half, 0, copy, rank == 0 ? 1 : 0, 5, &bridge);
  MPI_Group far;
  MPI_Comm_remote_group(bridge, &far);
  MPI_Group_size(far, &answer);
  CHECK(answer == (rank == 0 ? 2 : 1));
  MPI_Group_free(&far);
  MPI_Comm_free(&bridge);
  MPI_Comm_free(&half);
  MPI_Comm_free(&copy);

  int class, code, got;
  char words[MPI_MAX_ERROR_STRING];
  MPI_Add_error_class(&class);
  MPI_Add_error_code(class, &code);
  MPI_Add_error_string(code, "out of cheese");
  MPI_Error_class(code, &got);
  CHECK(got == class);
  MPI_Error_string(code, words, &answer);
  CHECK(strcmp(words, "out of cheese") == 0);
  MPI_Op_commutative(MPI_SUM, &answer);
  CHECK(answer == 1);
  CHECK(MPI_Wtick() > 0);
  MPI_Pcontrol(1);
  MPI_Finalize();
  return 0;
}
