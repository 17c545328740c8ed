ALTER TABLE "nfts" ADD COLUMN "is_compressed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "nfts" ADD COLUMN "mint_hash" text;