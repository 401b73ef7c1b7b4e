/** What the draw calls in a simulation besides the parts of the engine. */
export const stepTargets = ['beacon'] as const
