/** The header of an answer that names the fields of the request's body that the service ignored. Staging only. */
export const ignoredFieldsHeader = 'x-kassa-ignored-fields'
