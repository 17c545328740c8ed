/** A wait that can be stopped. */
export type Wait<Value> = { promise: Promise<Value>; stop(): void }
