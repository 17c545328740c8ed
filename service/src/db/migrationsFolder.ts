import { fileURLToPath } from 'node:url'

/** The folder of migrations, beside this file in the source and in the build alike. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))
