import * as z from 'zod/mini'
import { Order } from '../schema/index.js'

/** Reads the answer about one order, and refuses one about another: it would be shown, and paid, in its place. */
export const orderAnswer = (orderId: string) =>
  Order.check(z.refine((order) => order.orderId === orderId, { error: 'another order', path: ['orderId'] }))
