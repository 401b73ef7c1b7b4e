<?php
/**
 * Plugin Name: Sluice Sale
 * Description: Sells a sale of Sluice on pages of this site, to the customers who are signed in here.
 * Version: 1.0.0
 * Requires at least: 6.1
 * Requires PHP: 7.4
 * License: MIT
 * Text Domain: sluice-sale
 */

defined( 'ABSPATH' ) || exit;

const SLUICE_OPTION = 'sluice_sale';

add_action( 'init', 'sluice_init' );
add_action( 'admin_menu', 'sluice_menu' );
add_action( 'admin_init', 'sluice_register_settings' );
add_filter( 'script_loader_tag', 'sluice_script_tag', 10, 2 );
add_action( 'wp_ajax_sluice_token', 'sluice_send_token' );
add_action( 'wp_ajax_nopriv_sluice_token', 'sluice_send_token' );
register_uninstall_hook( __FILE__, 'sluice_uninstall' );

function sluice_init() {
	add_shortcode( 'sluice_sale', 'sluice_shortcode' );
	wp_register_script(
		'sluice-sale-editor',
		plugins_url( 'editor.js', __FILE__ ),
		array( 'wp-block-editor', 'wp-blocks', 'wp-components', 'wp-element', 'wp-i18n' ),
		'1.0.0',
		true
	);
	register_block_type( __DIR__, array( 'render_callback' => 'sluice_block' ) );
}

function sluice_uninstall() {
	delete_option( SLUICE_OPTION );
}

/** One of `url`, `issuer`, `key_id` and `key_file`; empty until it is set. */
function sluice_setting( $name ) {
	$settings = (array) get_option( SLUICE_OPTION, array() );
	return isset( $settings[ $name ] ) ? (string) $settings[ $name ] : '';
}

/** `[sluice_sale sale="mug"]Buy the mug[/sluice_sale]`; the text of the link is for visitors without JavaScript. */
function sluice_shortcode( $attributes, $content = '' ) {
	$attributes = shortcode_atts( array( 'sale' => '' ), $attributes, 'sluice_sale' );
	return sluice_html( (string) $attributes['sale'], (string) $content );
}

function sluice_block( $attributes ) {
	$html = sluice_html( isset( $attributes['sale'] ) ? (string) $attributes['sale'] : '', '' );
	return '' === $html ? '' : sprintf( '<div %s>%s</div>', get_block_wrapper_attributes(), $html );
}

/** The element; authors see what is missing, visitors see nothing then. */
function sluice_html( $sale, $text ) {
	$url = sluice_setting( 'url' );
	if ( '' === $url || ! preg_match( '/^[a-z0-9-]+$/D', $sale ) ) {
		$missing = '' === $url
			? __( 'Sluice: enter the address of the sales under Settings > Sluice.', 'sluice-sale' )
			: __( 'Sluice: name the sale by its id, such as mug.', 'sluice-sale' );
		return current_user_can( 'edit_posts' ) ? '<p>' . esc_html( $missing ) . '</p>' : '';
	}
	wp_enqueue_script( 'sluice-elements', "$url/elements.js", array(), null, array( 'strategy' => 'async' ) );
	// A path without a host, because the element asks the origin of its page only.
	$token_from = add_query_arg( 'action', 'sluice_token', admin_url( 'admin-ajax.php', 'relative' ) );
	$text       = trim( wp_strip_all_tags( $text ) );
	return sprintf(
		'<sluice-sale sale="%s" token-from="%s"><a href="%s">%s</a></sluice-sale>',
		esc_attr( $sale ),
		esc_url( $token_from ),
		esc_url( "$url/sales/$sale/" ),
		esc_html( '' === $text ? __( 'Go to the sale', 'sluice-sale' ) : $text )
	);
}

/** With `integrity`, which a plugin may add, browsers run a script of another site only if it has `crossorigin`. */
function sluice_script_tag( $tag, $handle ) {
	return 'sluice-elements' === $handle ? str_replace( ' src=', ' crossorigin src=', $tag ) : $tag;
}

/**
 * Answers the token of the signed-in customer as text; 401 to a guest. The cookies of WordPress count here without a
 * nonce, which its REST API would ask for: the call changes nothing, and other sites cannot read its answer.
 */
function sluice_send_token() {
	nocache_headers();
	header( 'Content-Type: text/plain; charset=utf-8' );
	header( 'X-Content-Type-Options: nosniff' );
	$from = isset( $_SERVER['HTTP_SEC_FETCH_SITE'] ) ? $_SERVER['HTTP_SEC_FETCH_SITE'] : 'same-origin';
	if ( 'same-origin' !== $from ) {
		wp_die( '', '', array( 'response' => 403 ) );
	}
	if ( ! is_user_logged_in() ) {
		wp_die( '', '', array( 'response' => 401 ) );
	}
	$token = sluice_token( get_current_user_id(), time() );
	if ( null === $token ) {
		wp_die( '', '', array( 'response' => 500 ) );
	}
	// A JSON Web Token: letters, digits, `-`, `_` and `.`.
	wp_die( $token, '', array( 'response' => 200 ) );
}

/** A token for half an hour, without personal data; null unless the settings and the key are good. */
function sluice_token( $user_id, $now ) {
	$key = sluice_private_key();
	if ( null === $key || '' === sluice_setting( 'url' ) || '' === sluice_setting( 'issuer' ) || '' === sluice_setting( 'key_id' ) ) {
		return null;
	}
	$head   = array( 'alg' => 'RS256', 'kid' => sluice_setting( 'key_id' ) );
	$claims = array(
		'iss' => sluice_setting( 'issuer' ),
		'aud' => sluice_setting( 'url' ),
		'sub' => "wp-$user_id",
		'iat' => $now,
		'exp' => $now + 1800,
	);
	$signed = sluice_part( json_encode( $head ) ) . '.' . sluice_part( json_encode( $claims ) );
	return openssl_sign( $signed, $signature, $key, OPENSSL_ALGO_SHA256 ) ? "$signed." . sluice_part( $signature ) : null;
}

function sluice_part( $bytes ) {
	return rtrim( strtr( base64_encode( $bytes ), '+/', '-_' ), '=' );
}

/** The RSA key, from the constant or the file, never from the database; null if there is no good one. */
function sluice_private_key() {
	if ( ! function_exists( 'openssl_pkey_get_private' ) ) {
		return null;
	}
	$file = sluice_setting( 'key_file' );
	$pem  = '';
	if ( defined( 'SLUICE_PRIVATE_KEY' ) ) {
		$pem = (string) SLUICE_PRIVATE_KEY;
	} elseif ( '' !== $file && ! sluice_is_public( $file ) && is_file( $file ) && is_readable( $file ) ) {
		$pem = (string) file_get_contents( $file );
	}
	$key     = '' === $pem ? false : openssl_pkey_get_private( $pem );
	$details = $key ? openssl_pkey_get_details( $key ) : false;
	$is_good = $details && OPENSSL_KEYTYPE_RSA === $details['type'] && $details['bits'] >= 2048 && $details['bits'] <= 4096;
	return $is_good ? $key : null;
}

/** Whether the web server may hand out the file, because it lies in the folder of WordPress. */
function sluice_is_public( $file ) {
	$path = realpath( $file );
	return false !== $path && 0 === strpos( $path, trailingslashit( (string) realpath( ABSPATH ) ) );
}

/** The public half, to paste into the console of Sluice; null without a good key. */
function sluice_jwks() {
	$key = sluice_private_key();
	if ( null === $key ) {
		return null;
	}
	$rsa    = openssl_pkey_get_details( $key )['rsa'];
	$public = array( 'kty' => 'RSA', 'kid' => sluice_setting( 'key_id' ), 'use' => 'sig', 'alg' => 'RS256' );
	return json_encode( array( 'keys' => array( $public + array( 'n' => sluice_part( $rsa['n'] ), 'e' => sluice_part( $rsa['e'] ) ) ) ) );
}

function sluice_fields() {
	return array(
		'url'      => __( 'Address of the sales, such as https://sale.shop.example', 'sluice-sale' ),
		'issuer'   => __( 'Issuer (iss), such as the address of this site', 'sluice-sale' ),
		'key_id'   => __( 'Key id (kid), such as first', 'sluice-sale' ),
		'key_file' => __( 'File of the private key, outside of the folder of WordPress; not needed with the constant SLUICE_PRIVATE_KEY', 'sluice-sale' ),
	);
}

function sluice_register_settings() {
	register_setting( SLUICE_OPTION, SLUICE_OPTION, array( 'sanitize_callback' => 'sluice_sanitize' ) );
}

/** What is wrong is not saved, and said. */
function sluice_sanitize( $input ) {
	$saved = array();
	foreach ( array_keys( sluice_fields() ) as $name ) {
		$saved[ $name ] = isset( $input[ $name ] ) ? trim( sanitize_text_field( $input[ $name ] ) ) : '';
	}
	$saved['url'] = rtrim( $saved['url'], '/' );
	if ( '' !== $saved['url'] && ! preg_match( '#^(https://[a-z0-9.-]+|http://localhost)(:\d+)?$#D', $saved['url'] ) ) {
		$saved['url'] = '';
		add_settings_error( SLUICE_OPTION, 'url', __( 'The address of the sales must begin with https:// and have no path.', 'sluice-sale' ) );
	}
	if ( '' !== $saved['key_file'] && sluice_is_public( $saved['key_file'] ) ) {
		$saved['key_file'] = '';
		add_settings_error( SLUICE_OPTION, 'key_file', __( 'The file of the private key lies in the folder of WordPress. Move it, and replace the key if it could be downloaded.', 'sluice-sale' ) );
	}
	return $saved;
}

function sluice_menu() {
	add_options_page( 'Sluice', 'Sluice', 'manage_options', 'sluice-sale', 'sluice_settings_page' );
}

function sluice_settings_page() {
	if ( ! current_user_can( 'manage_options' ) ) {
		return;
	}
	$jwks = sluice_jwks();
	?>
	<div class="wrap">
		<h1>Sluice</h1>
		<form method="post" action="options.php">
			<?php settings_fields( SLUICE_OPTION ); ?>
			<?php foreach ( sluice_fields() as $name => $label ) : ?>
				<p>
					<label for="<?php echo esc_attr( "sluice-$name" ); ?>"><?php echo esc_html( $label ); ?></label><br>
					<input class="regular-text" id="<?php echo esc_attr( "sluice-$name" ); ?>" name="<?php echo esc_attr( SLUICE_OPTION . "[$name]" ); ?>" value="<?php echo esc_attr( sluice_setting( $name ) ); ?>">
				</p>
			<?php endforeach; ?>
			<?php submit_button(); ?>
		</form>
		<?php if ( null === $jwks ) : ?>
			<p><?php esc_html_e( 'No key can be read yet: an RSA key of 2048 to 4096 bits as PEM.', 'sluice-sale' ); ?></p>
		<?php else : ?>
			<p><label for="sluice-jwks"><?php esc_html_e( 'The key is good. Paste its public half into the console of Sluice, under Customers:', 'sluice-sale' ); ?></label></p>
			<textarea class="large-text code" id="sluice-jwks" rows="5" readonly><?php echo esc_textarea( $jwks ); ?></textarea>
		<?php endif; ?>
	</div>
	<?php
}
