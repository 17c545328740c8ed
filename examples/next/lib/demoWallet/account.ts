/** The part of the Web Storage interface that the demo wallet needs. */
export type WalletStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Where the browser keeps the account's key. */
export const storageKey = 'recto.demo-wallet.key'
const permissionKey = 'recto.demo-wallet.connected'

/** Deletes the account, so that the next one is new. */
export const forgetAccount = (storage: WalletStorage): void => storage.removeItem(storageKey)

/** Whether the buyer lets this shop see the account. */
export const isPermitted = (storage: WalletStorage): boolean => storage.getItem(permissionKey) === 'yes'

/** Stores whether the buyer lets this shop see the account. */
export const setPermitted = (storage: WalletStorage, permitted: boolean): void =>
  permitted ? storage.setItem(permissionKey, 'yes') : storage.removeItem(permissionKey)
