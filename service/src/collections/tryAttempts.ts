import { attemptKey, type WriteResult } from '../chains/port.js'

/**
 * Writes to a chain under one key, attempt after attempt. All who want the same share its attempts: any of them may
 * have done it.
 *
 * @param attempts - How often it may be tried: what failed is failed for good under its own attempt.
 */
export const tryAttempts = async (
  key: string,
  attempts: number,
  write: (key: string) => Promise<WriteResult>,
): Promise<WriteResult> => {
  for (let attempt = 1; ; attempt++) {
    const written = await write(attemptKey(key, attempt))
    if (written.status === 'succeeded' || attempt >= attempts) return written
  }
}
