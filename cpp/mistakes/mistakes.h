// Mistakes that people make in attention and around it, each computed as they would get it: to be shown beside the right form
// on the same input. Nothing else may use this folder.
#pragma once

#include <span>

#include "model/functional.h"

namespace glass {

// An entry has the name, the arguments and the results of the op that it imitates, and one option more: `mistake`, the name of
// what goes wrong. NaN and infinity come out where 32-bit floats give them.
//   softmax            withoutMaximum
//   attention          scaleByModelWidth (needs dModel), noScale, invertedTriangle, noCausalMask, billion, billionTwice,
//                      billionSquared, nanRows, withoutMaximum, transposeAll, cachedByKeys; one name or a list of them
//   lookAheadMask      inverted
//   layerNorm          epsOutside, sampleVariance, sampleDeviation, weightsPerPosition
//   dropout            notInverted, atInference
//   encoderLayer       withoutResidual
//   encoder            withoutResidual, neverRecomputed
//   decoderLayer       withoutResidual, withoutFeedForward, noCausalMask, noMemoryMask
//   embedding          idsAsVectors
//   meanPool           overPadding, overBatch
//   crossEntropy       logitsAsProbabilities, probabilitiesAsLogits, smoothingUndivided, smoothingOverOthers, gradientOfMean
//   labelSmoothing     undivided, overOthers
//   noamRate           fromZero
//   average            meanOfMeans
// Two imitate no op but what is done with results: averageHeads and countsAsIds.
extern const std::span<const Op> kMistakes;

}  // namespace glass
