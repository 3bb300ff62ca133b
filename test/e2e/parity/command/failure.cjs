/** The guard cannot judge, and says why. */
class Failure extends Error {}

module.exports = { Failure };
