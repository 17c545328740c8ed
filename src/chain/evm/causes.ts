/** Returns every error along the chain of causes, the outermost first. */
export const causes = (error: unknown): unknown[] => {
  const chain: unknown[] = []
  for (let next = error; next && !chain.includes(next) && chain.length < 16; ) {
    chain.push(next)
    next = typeof next === 'object' && 'cause' in next ? next.cause : undefined
  }
  return chain
}

/** Reads a property of a caught value of any type. */
export const readProperty = (thrown: unknown, key: string): unknown =>
  typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, key) : undefined
