/** Whether this run judges a change (`npm test`), so that what only repeats a test on other ground is left out. */
export const isChange = process.env.KASSA_TEST_SCOPE === 'change'
