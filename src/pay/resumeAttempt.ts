import { isKassaError } from '../errors/KassaError.js'
import { confirmPayment } from './confirmPayment.js'
import { getFreshOrder } from './freshOrder.js'
import type { TaskContext } from './payContext.js'
import { isSent, resumePayment } from './resumePayment.js'

/**
 * Resumes an attempt. While the service is unavailable, an attempt with a hash is followed on chain alone.
 */
export const resumeAttempt = async (context: TaskContext): Promise<unknown> => {
  const sent = context.attemptStore.list(context.orderId).findLast(isSent)
  try {
    return await resumePayment(context, await getFreshOrder(context))
  } catch (error) {
    if (!sent || !isKassaError(error) || !error.code.startsWith('api.')) throw error
    return confirmPayment(context, sent)
  }
}
