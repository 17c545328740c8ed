import type { SubmittedApproval } from 'kassa/schema'
import type { Call } from '#base/call.js'

/** Describes the device that sends an approval, as the approval's metadata. */
export const describeClient = ({ ipAddress, userAgent }: Call['client']): SubmittedApproval['metadata'] => {
  const [, deviceInfo] = /\(([^)]{1,200})\)/.exec(userAgent ?? '') ?? []
  return {
    ...(deviceInfo !== undefined && { deviceInfo }),
    ...(ipAddress !== undefined && { ipAddress }),
    ...(userAgent !== undefined && { userAgent }),
  }
}
