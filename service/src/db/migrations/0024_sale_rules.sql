CREATE TABLE "allow_list_addresses" (
	"list_id" uuid NOT NULL,
	"address" text NOT NULL,
	CONSTRAINT "allow_list_addresses_list_id_address_pk" PRIMARY KEY("list_id","address")
);
--> statement-breakpoint
CREATE TABLE "sale_counts" (
	"project_id" uuid NOT NULL,
	"collection_id" text NOT NULL,
	"key" text NOT NULL,
	"allocated_count" integer DEFAULT 0 NOT NULL,
	"reserved_count" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "sale_counts_project_id_collection_id_key_pk" PRIMARY KEY("project_id","collection_id","key")
);
--> statement-breakpoint
ALTER TABLE "collections" ADD COLUMN "sale" jsonb;--> statement-breakpoint
ALTER TABLE "sale_counts" ADD CONSTRAINT "sale_counts_collection" FOREIGN KEY ("project_id","collection_id") REFERENCES "public"."collections"("project_id","id") ON DELETE no action ON UPDATE no action;