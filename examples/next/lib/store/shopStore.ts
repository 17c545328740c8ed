import { type OrderStore, openStore } from './openStore'

/** Opens this shop's store in the file that `KASSA_STORE` names. */
export const openShopStore = (): OrderStore => openStore(process.env.KASSA_STORE ?? '.kassa/orders.json')
