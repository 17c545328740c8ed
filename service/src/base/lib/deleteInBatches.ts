const rowsPerBatch = 500
const batchesPerPass = 200

/**
 * Deletes rows a batch at a time. A pass is limited too: what is left is for the next one.
 *
 * @param deleteSome - Deletes at most so many rows, the oldest first, and returns how many it has deleted.
 */
export const deleteInBatches = async (deleteSome: (limit: number) => Promise<number>): Promise<void> => {
  for (let batch = 0; batch < batchesPerPass; batch++) {
    if ((await deleteSome(rowsPerBatch)) < rowsPerBatch) return
  }
}
