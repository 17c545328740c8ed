import { customType } from 'drizzle-orm/pg-core'

/** Raw bytes. Both drivers return them as a `Uint8Array`. */
export const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({
  dataType: () => 'bytea',
})
