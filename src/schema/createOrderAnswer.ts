import * as z from 'zod/mini'
import { openObject } from './open.js'
import { Order } from './order.js'

/**
 * A new order and the secret that opens it. Only this answer contains the secret.
 *
 * @source interface.md "Create order"
 */
export const CreateOrderAnswer = openObject({ clientSecret: z.string(), order: Order })
export type CreateOrderAnswer = z.infer<typeof CreateOrderAnswer>
