-- Uncompressed, so that a range of a file is read without the rest of it.
ALTER TABLE "files" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;
