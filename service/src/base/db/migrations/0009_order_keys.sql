-- What is there on Solana is a reference of before orders there had addresses with a key, and so is what a process of
-- an earlier build writes during a rollout.
ALTER TABLE "payment_targets" ADD COLUMN "is_seeded" boolean DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE "payment_targets" SET "is_seeded" = true WHERE "chain" = 'solana';--> statement-breakpoint
ALTER TABLE "payment_targets" ALTER COLUMN "is_seeded" SET DEFAULT true;--> statement-breakpoint
CREATE INDEX "payment_targets_seeded" ON "payment_targets" USING btree ("chain") WHERE "payment_targets"."is_seeded";
