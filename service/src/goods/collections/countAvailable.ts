/** What tokens are given out of, as far as it is limited: a collection, or a template in it. */
export type LimitedSupply = { supplyLimit: number | null; allocatedCount: number; reservedCount: number }

/** Returns how many tokens of a collection or a template can still be sold; undefined when there is no limit. */
export const countAvailable = ({
  supplyLimit,
  allocatedCount,
  reservedCount,
}: LimitedSupply): number | undefined =>
  supplyLimit === null ? undefined : Math.max(0, supplyLimit - allocatedCount - reservedCount)
