/**
 * Runs a task that writes to the data folder. If the folder cannot be written, the error names the setting.
 *
 * @throws Error
 */
export const inDataDir = <Result>(dataDir: string, write: () => Result): Result => {
  try {
    return write()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (!/^(EACCES|EPERM|EROFS|ENOTDIR|EEXIST|ENOSPC|EDQUOT)$/.test(code)) throw error
    throw new Error(
      `the data folder ${dataDir} cannot be written (${code}): let this user write there, or set KASSA_DATA_DIR (of a sandbox: --data) to another folder`,
      { cause: error },
    )
  }
}
