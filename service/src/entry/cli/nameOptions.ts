import { ServiceError } from '#base/errors.js'

/**
 * Runs a verb, and names the options of the command line where its refusal names fields of the interface.
 *
 * @param options - The option of each field, by the field's path.
 * @throws {@link ServiceError} that names the options.
 */
export const nameOptions = async <Result>(
  options: Readonly<Record<string, string>>,
  verb: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await verb()
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'input-invalid') throw error
    const message = error.message.replaceAll(
      /(^|; )([\w.]+)(?=: )/g,
      (all, before: string, field: string) => {
        const option = Object.hasOwn(options, field) ? options[field] : undefined
        return option === undefined ? all : `${before}--${option}`
      },
    )
    throw new ServiceError(error.code, message)
  }
}
