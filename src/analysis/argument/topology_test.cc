#include "analysis/argument/argument.h"
#include "analysis/testing/cases.h"

namespace vouch {
namespace {

TEST(TopologySize, grids_and_graphs) {
  expect_findings<Argument>({
      {"0 world size=4\n0 Cart_create ndims=2 dims=[3,3] @a\n", "topology/size ranks=0 @a"},
      {"0 Cart_create ndims=-1 dims=[] periods=[] @a\n", "topology/size ranks=0 @a"},
      {"0 Cart_create dims=[2,0] @a\n", "topology/size ranks=0 @a"},
      {"0 Cart_map dims=[3] @a\n", "topology/size ranks=0 @a"},
      {"0 Graph_create nnodes=3 index=[1,2,3] edges=[1,0,0] @a\n", "topology/size ranks=0 @a"},
      {"0 Graph_create nnodes=2 index=[1,2] edges=[1,2] @a\n", "topology/size ranks=0 @a"},
      {"0 Graph_create nnodes=2 index=[2,1] edges=[1] @a\n", "topology/size ranks=0 @a"},
      {"0 Dims_create nnodes=6 dims=[4,0] @a\n", "topology/size ranks=0 @a"},
      {"0 Dims_create nnodes=6 dims=[2,2] @a\n", "topology/size ranks=0 @a"},
      {"0 Dims_create nnodes=6 dims=[-1,0] @a\n", "topology/size ranks=0 @a"},
      {"0 Dist_graph_create_adjacent indegree=1 sources=[2] outdegree=0 destinations=[] @a\n",
       "topology/size ranks=0 @a"},
      {"0 Dist_graph_create n=1 sources=[0] degrees=[2] destinations=[1,5] @a\n",
       "topology/size ranks=0 @a"},
      {"0 Dist_graph_create n=1 sources=[0] degrees=[-2] destinations=[] @a\n",
       "topology/size ranks=0 @a"},
  });
  expect_silence<Argument>({
      "0 world size=4\n0 Cart_create dims=[1,2]\n",
      "0 Cart_create ndims=0 dims=NULL periods=NULL\n",  // [U42]
      "0 Graph_create nnodes=0 index=NULL edges=NULL\n",
      "0 Cart_create comm_old=COMM_SELF dims=[1] periods=[1]\n",
      "0 Graph_create nnodes=2 index=[2,3] edges=[0,0,1]\n",  // self and multiple edges
      "0 Dims_create nnodes=6 dims=[0,0]\n0 Dims_create nnodes=6 dims=[3,0]\n0 Dims_create "
      "nnodes=6 dims=[2,3]\n",
      "0 Dims_create nnodes=1 ndims=0 dims=NULL\n",
      "0 Dist_graph_create_adjacent indegree=0 sources=NULL outdegree=0 destinations=NULL\n",
      "0 Dist_graph_create n=0 sources=[] degrees=[] destinations=[]\n",
  });
}

TEST(TopologyArgument, directions_and_coordinates) {
  expect_findings<Argument>({
      {"0 Cart_create dims=[2,1] comm_cart=c\n0 Cart_shift comm=c direction=2 disp=1 @a\n",
       "topology/argument ranks=0 @a"},
      {"0 Cart_create dims=[2,1] comm_cart=c\n0 Cart_shift comm=c direction=-1 disp=1 @a\n",
       "topology/argument ranks=0 @a"},
      {"0 Cart_create dims=[2] periods=[0] comm_cart=c\n0 Cart_rank comm=c coords=[2] @a\n",
       "topology/argument ranks=0 @a"},
      {"0 Cart_create dims=[2,1] comm_cart=c\n0 Cart_coords comm=c rank=0 maxdims=1 @a\n",
       "topology/argument ranks=0 @a (warning)"},
  });
  expect_silence<Argument>({
      "0 Cart_create dims=[2] periods=[1] comm_cart=c\n0 Cart_rank comm=c coords=[5]\n",
      "0 Cart_create dims=[2,1] comm_cart=c\n0 Cart_shift comm=c direction=1 disp=99\n0 Send "
      "comm=c dest=PROC_NULL\n",
      "0 Cart_create dims=[2] comm_cart=c\n0 Cart_coords comm=c rank=0 maxdims=4\n0 Cart_get "
      "comm=c maxdims=1\n",
      "0 Cart_create ndims=0 dims=NULL periods=NULL comm_cart=c\n0 Cart_rank comm=c coords=NULL\n",
  });
}

}  // namespace
}  // namespace vouch
