ALTER TABLE "nfts" DROP CONSTRAINT "nfts_template_id_templates_id_fk";
--> statement-breakpoint
ALTER TABLE "templates" DROP CONSTRAINT "templates_pkey";--> statement-breakpoint
ALTER TABLE "templates" ADD CONSTRAINT "templates_project_id_collection_id_id_pk" PRIMARY KEY("project_id","collection_id","id");--> statement-breakpoint
ALTER TABLE "templates" ADD COLUMN "request_hash" text;--> statement-breakpoint
ALTER TABLE "templates" ADD COLUMN "deleted_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "nfts" ADD CONSTRAINT "nfts_template_fk" FOREIGN KEY ("project_id","collection_id","template_id") REFERENCES "public"."templates"("project_id","collection_id","id") ON DELETE no action ON UPDATE no action;