import * as z from 'zod/mini'
import { Order } from './order.js'

/**
 * A new order and the secret that opens it. Only this answer contains the secret.
 *
 * @source interface.md "Create order"
 */
export const CreateOrderAnswer = z.looseObject({ clientSecret: z.string(), order: Order })
export type CreateOrderAnswer = z.infer<typeof CreateOrderAnswer>
