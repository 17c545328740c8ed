import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { serviceProgram } from './programs.mjs'
import { openSandbox } from './sandbox.mjs'

/**
 * Invites a person to the console of a sandbox, as the operator does.
 * @param {string} dataDir
 * @param {{ role?: string, email?: string | undefined }} [options] an owner by default
 * @returns {Promise<string>} the link, which works once
 */
export const inviteToConsole = async (dataDir, { role = 'owner', email } = {}) => {
  const { env, script } = serviceProgram(openSandbox(dataDir), dataDir, {})
  const args = ['console', 'invite', '--project', 'sandbox', '--role', role]
  if (email) args.push('--email', email)
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...args], { env })
  return stdout.trim()
}
