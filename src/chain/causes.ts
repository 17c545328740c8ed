/** Every error along the chain of causes, the outermost first. */
export const causes = (error: unknown): unknown[] => {
  const chain: unknown[] = []
  for (let next = error; next && !chain.includes(next) && chain.length < 16; ) {
    chain.push(next)
    next = typeof next === 'object' && 'cause' in next ? next.cause : undefined
  }
  return chain
}

/** The value of a property of something caught, whatever that is. */
export const readProperty = (thrown: unknown, key: string): unknown =>
  typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, key) : undefined
