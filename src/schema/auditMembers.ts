/** The outcomes of acts in the console. `pending` is one that the service could not finish recording. */
export const auditOutcomes = ['pending', 'succeeded', 'refused', 'failed'] as const
/** How an act in the console ended. */
export type AuditOutcome = (typeof auditOutcomes)[number]
