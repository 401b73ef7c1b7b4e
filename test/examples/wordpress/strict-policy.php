<?php
// The pages of the site have a strict policy: scripts from files of the site and of the sale alone.
add_action(
	'send_headers',
	function () {
		$sale = getenv( 'SLUICE_URL' );
		header( "Content-Security-Policy: default-src 'none'; script-src 'self' $sale; connect-src 'self' $sale; style-src 'self' 'unsafe-inline'; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'" );
	}
);
// WordPress writes these scripts into its pages.
remove_action( 'wp_head', 'print_emoji_detection_script', 7 );
remove_action( 'wp_footer', 'the_block_template_skip_link' );
add_filter( 'show_admin_bar', '__return_false' );
