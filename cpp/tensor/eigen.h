// Eigen's view of our memory, for code that should read like the equation rather than run fast.
#pragma once

#include <Eigen/Core>

#include "tensor/tensor.h"

namespace glass {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MatrixMap = Eigen::Map<Matrix>;
using ConstMatrixMap = Eigen::Map<const Matrix>;

// [..., N] seen as a matrix of rows × N.
inline MatrixMap as_matrix(Tensor& x) {
  return {x.data(), static_cast<Eigen::Index>(x.rows()), static_cast<Eigen::Index>(x.width())};
}
inline ConstMatrixMap as_matrix(const Tensor& x) {
  return {x.data(), static_cast<Eigen::Index>(x.rows()), static_cast<Eigen::Index>(x.width())};
}

}  // namespace glass
