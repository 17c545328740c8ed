/** How many mints go into one transaction: few enough for its gas limit on every chain. */
export const batchSize = 50
