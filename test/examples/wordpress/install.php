<?php
// Installs WordPress with the functions of its core, activates the plugin, and prints the pages with the sales as JSON.
$socket = getenv( 'DATABASE_SOCKET' );
( new mysqli( 'localhost', 'wordpress', '', '', 0, $socket ) )->query( 'CREATE DATABASE wordpress' );
define( 'WP_INSTALLING', true );
$_SERVER['HTTP_HOST']       = parse_url( getenv( 'SITE_URL' ), PHP_URL_HOST );
$_SERVER['SERVER_PROTOCOL'] = 'HTTP/1.1';
require_once getcwd() . '/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
require_once ABSPATH . 'wp-admin/includes/plugin.php';

wp_install( 'My shop', 'admin', 'admin@shop.example', false, '', getenv( 'SITE_SECRET' ) );
$failure = activate_plugin( 'sluice-sale/sluice-sale.php' );
if ( is_wp_error( $failure ) ) {
	fwrite( STDERR, $failure->get_error_message() );
	exit( 1 );
}
$ann  = wp_create_user( 'ann', getenv( 'SITE_SECRET' ), 'ann@shop.example' );
$page = function ( $content ) {
	return wp_insert_post( array( 'post_type' => 'page', 'post_status' => 'publish', 'post_title' => 'A sale', 'post_content' => $content ), true );
};
echo json_encode(
	array(
		'version'   => $GLOBALS['wp_version'],
		'customer'  => $ann,
		'shortcode' => $page( sprintf( '[sluice_sale sale="%s"]Buy the mug[/sluice_sale]', getenv( 'SHORTCODE_SALE' ) ) ),
		'block'     => $page( '<!-- wp:sluice/sale /-->' ),
	)
);
