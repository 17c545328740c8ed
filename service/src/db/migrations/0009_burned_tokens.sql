ALTER TABLE "nfts" ADD COLUMN "burn_action_id" uuid;--> statement-breakpoint
CREATE INDEX "nfts_burn" ON "nfts" USING btree ("burn_action_id") WHERE burn_action_id is not null;