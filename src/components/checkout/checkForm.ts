import type { AnyKassaError } from '../../errors/index.js'
import type { Messages } from '../../locales/Messages.js'
import { checkField } from './checkField.js'
import { describeError } from './describeError.js'
import { type CheckoutFieldName, isFieldName } from './fields.js'
import { getRefusedFields } from './refusedFields.js'

/** What is wrong with the fields of a form, in the buyer's language. */
export type WrongFields = { [Name in CheckoutFieldName]?: string | undefined }

/** What stands in a field of a form; nothing where there is no such field. */
export const getText = (form: HTMLFormElement, name: CheckoutFieldName): string =>
  String(new FormData(form).get(name) ?? '').trim()

/** The fields of a form, in their order. */
const listFields = (form: HTMLFormElement): CheckoutFieldName[] =>
  [...new FormData(form).keys()].filter(isFieldName)

/** Checks all that a buyer wrote into a form. */
export const checkForm = (form: HTMLFormElement, messages: Messages): WrongFields => {
  const wrong: WrongFields = {}
  for (const name of listFields(form)) {
    const error = checkField(name, getText(form, name), messages)
    if (error) wrong[name] = error
  }
  return wrong
}

/** Finds out what of a form the service refused. */
export const readRefusal = (form: HTMLFormElement, error: AnyKassaError, messages: Messages): WrongFields => {
  const names = listFields(form)
  const wrong: WrongFields = {}
  for (const path of getRefusedFields(error)) {
    // What is about no field of this form is shown at the first, rather than nowhere.
    const name = names.findLast((known) => path.split('.').includes(known)) ?? names[0]
    if (name) wrong[name] = describeError(error, messages)
  }
  return wrong
}
