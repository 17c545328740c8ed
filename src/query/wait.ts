/** A wait that can be given up. */
export type Wait<Value> = { promise: Promise<Value>; stop(): void }
